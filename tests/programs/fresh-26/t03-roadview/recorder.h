#pragma once
#include "stages.cuh"
#include <memory>

namespace roadview {

enum class Where { Trunk, Branch };

struct Placement {
    Where where;
    std::unique_ptr<Stage> stage;
};

using Plan = std::vector<Placement>;

class FrameGraph {
public:
    explicit FrameGraph(cudaGraphExec_t exec) : exec_(exec) {}
    ~FrameGraph() { cudaGraphExecDestroy(exec_); }
    FrameGraph(const FrameGraph&) = delete;
    FrameGraph& operator=(const FrameGraph&) = delete;
    void launch(cudaStream_t s) { require(cudaGraphLaunch(exec_, s)); }

private:
    cudaGraphExec_t exec_;
};

// Turns a plan into one graph. Branch stages run beside the trunk up to the last stage.
class Recorder {
public:
    explicit Recorder(HostArena& arena);
    ~Recorder();
    void rehearse(const Plan& plan);
    std::unique_ptr<FrameGraph> record(const Plan& plan);
    cudaStream_t trunk() const { return trunk_; }

private:
    cudaStream_t laneOf(const Placement& p) const { return p.where == Where::Trunk ? trunk_ : branch_; }
    HostArena& arena_;
    cudaStream_t trunk_ = nullptr;
    cudaStream_t branch_ = nullptr;
    cudaEvent_t fork_ = nullptr;
    cudaEvent_t join_ = nullptr;
};

}  // namespace roadview
