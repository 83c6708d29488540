#include "plan.h"

namespace rank {

constexpr std::size_t kStagingBytes = 16 * 1024;

PlanBuilder::PlanBuilder(const Workspace& workspace) : workspace_(workspace)
{
    RANK_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

PlanBuilder::~PlanBuilder() { cudaStreamDestroy(stream_); }

Plan PlanBuilder::build(const ModelSpec& spec, int* bids)
{
    Plan plan{spec, std::make_unique<PinnedArena>(kStagingBytes), makeStages(spec, bids), nullptr};
    RecordContext ctx{stream_, *plan.arena, workspace_};

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    RANK_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (auto& stage : plan.stages) stage->record(ctx);
    RANK_CUDA(cudaStreamEndCapture(stream_, &graph));
    RANK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    RANK_CUDA(cudaGraphDestroy(graph));
    plan.exec.reset(exec);
    return plan;
}

}  // namespace rank
