#include "recorder.h"

namespace roadview {

Recorder::Recorder(HostArena& arena) : arena_(arena) {
    require(cudaStreamCreateWithFlags(&trunk_, cudaStreamNonBlocking));
    require(cudaStreamCreateWithFlags(&branch_, cudaStreamNonBlocking));
    require(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    require(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
}

Recorder::~Recorder() {
    cudaEventDestroy(join_);
    cudaEventDestroy(fork_);
    cudaStreamDestroy(branch_);
    cudaStreamDestroy(trunk_);
}

void Recorder::rehearse(const Plan& plan) {
    for (const auto& p : plan) {
        HostArena::Scope scope(arena_);
        p.stage->enqueue(laneOf(p), arena_);
        require(cudaStreamSynchronize(laneOf(p)));
    }
}

std::unique_ptr<FrameGraph> Recorder::record(const Plan& plan) {
    auto tables = std::make_unique<HostArena::Scope>(arena_);
    require(cudaStreamBeginCapture(trunk_, cudaStreamCaptureModeThreadLocal));
    require(cudaEventRecord(fork_, trunk_));
    require(cudaStreamWaitEvent(branch_, fork_, 0));
    for (std::size_t i = 0; i < plan.size(); ++i) {
        if (i + 1 == plan.size()) {
            require(cudaEventRecord(join_, branch_));
            require(cudaStreamWaitEvent(trunk_, join_, 0));
        }
        plan[i].stage->enqueue(laneOf(plan[i]), arena_);
    }
    cudaGraph_t graph = nullptr;
    require(cudaStreamEndCapture(trunk_, &graph));
    cudaGraphExec_t exec = nullptr;
    require(cudaGraphInstantiate(&exec, graph, 0));
    require(cudaGraphDestroy(graph));
    return std::make_unique<FrameGraph>(exec, std::move(tables));
}

}  // namespace roadview
