#pragma once
#include <memory>
#include <type_traits>
#include "stage.h"

namespace rank {

struct ExecDeleter {
    void operator()(cudaGraphExec_t exec) const { cudaGraphExecDestroy(exec); }
};
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, ExecDeleter>;

// A model, ready to be replayed for every auction.
struct Plan {
    ModelSpec spec;
    std::unique_ptr<PinnedArena> arena;
    StageList stages;
    GraphExec exec;

    void launch(cudaStream_t stream) const { RANK_CUDA(cudaGraphLaunch(exec.get(), stream)); }
};

class PlanBuilder {
public:
    explicit PlanBuilder(const Workspace& workspace);
    ~PlanBuilder();
    Plan build(const ModelSpec& spec, int* bids);

private:
    Workspace workspace_;
    cudaStream_t stream_ = nullptr;
};

}  // namespace rank
