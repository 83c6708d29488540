#include "plan.h"

namespace sensor {

cudaError_t Plan::open(int count) {
    signal_.count = count;
    if (cudaError_t e = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)) return e;
    return cudaMalloc(&signal_.data, count * sizeof(float));
}

cudaError_t Plan::record() {
    if (cudaError_t e = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal)) return e;
    cudaError_t first = cudaSuccess;
    for (auto& step : steps_) {
        first = step->enqueue(signal_, stream_);
        if (first != cudaSuccess) break;
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
    if (first != cudaSuccess) return first;
    if (ended != cudaSuccess) return ended;
    const cudaError_t made = cudaGraphInstantiate(&exec_, graph, 0);
    cudaGraphDestroy(graph);
    return made;
}

cudaError_t Plan::process(const float* in, float* out) {
    const std::size_t bytes = signal_.count * sizeof(float);
    if (cudaError_t e = cudaMemcpyAsync(signal_.data, in, bytes, cudaMemcpyHostToDevice, stream_)) return e;
    if (cudaError_t e = cudaGraphLaunch(exec_, stream_)) return e;
    if (cudaError_t e = cudaMemcpyAsync(out, signal_.data, bytes, cudaMemcpyDeviceToHost, stream_)) return e;
    return cudaStreamSynchronize(stream_);
}

Plan::~Plan() {
    steps_.clear();
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(signal_.data);
    if (stream_) cudaStreamDestroy(stream_);
}

cudaError_t PlanBuilder::build(std::unique_ptr<Plan>* out) {
    std::unique_ptr<Plan> plan(new Plan);
    plan->steps_ = std::move(steps_);
    if (cudaError_t e = plan->open(count_)) return e;
    if (cudaError_t e = plan->record()) return e;
    *out = std::move(plan);
    return cudaSuccess;
}

}  // namespace sensor
