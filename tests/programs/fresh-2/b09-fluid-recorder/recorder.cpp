#include "lane.h"

namespace fluid {

Recorder::~Recorder() {
    if (exec_) cudaGraphExecDestroy(exec_);
}

void Recorder::record(const std::function<void()>& step) {
    cudaGraph_t graph{};
    FLUID_CHECK(cudaStreamBeginCapture(lane_.get(), cudaStreamCaptureModeRelaxed));
    step();
    FLUID_CHECK(cudaStreamEndCapture(lane_.get(), &graph));
    FLUID_CHECK(cudaGraphInstantiate(&exec_, graph, 0));
    FLUID_CHECK(cudaGraphDestroy(graph));
}

void Recorder::replay(int times) {
    for (int i = 0; i < times; ++i) FLUID_CHECK(cudaGraphLaunch(exec_, lane_.get()));
    lane_.drain();
}

}  // namespace fluid
