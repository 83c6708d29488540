#include "executor.hpp"

#include <algorithm>

namespace rank {

Executor::Executor(const Model& model, const ServeConfig& cfg) : model_(model), cfg_(cfg) {
    const std::size_t bytes = sizeof(float) * cfg_.maxBatch * kWidth;
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMallocHost(&hostIn_, bytes));
    check(cudaMallocHost(&hostOut_, bytes));
    check(cudaMalloc(&input_, bytes));
    prepare();
}

Executor::~Executor() {
    for (auto& [bucket, exec] : plans_) cudaGraphExecDestroy(exec);
    cudaFree(input_);
    cudaFreeHost(hostOut_);
    cudaFreeHost(hostIn_);
    cudaStreamDestroy(stream_);
}

void Executor::prepare() {
    check(cudaMemsetAsync(input_, 0, sizeof(float) * cfg_.maxBatch * kWidth, stream_));
    for (int round = 0; round < 2; ++round) model_.forward(alloc_, input_, cfg_.typicalBatch, stream_);
    check(cudaStreamSynchronize(stream_));
}

cudaGraphExec_t Executor::plan(int bucket) {
    if (auto it = plans_.find(bucket); it != plans_.end()) return it->second;

    const std::size_t bytes = sizeof(float) * bucket * kWidth;
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    check(cudaMemcpyAsync(input_, hostIn_, bytes, cudaMemcpyHostToDevice, stream_));
    Tensor scores = model_.forward(alloc_, input_, bucket, stream_);
    check(cudaMemcpyAsync(hostOut_, scores.data(), bytes, cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamEndCapture(stream_, &graph));

    cudaGraphExec_t exec = nullptr;
    check(cudaGraphInstantiate(&exec, graph, 0));
    check(cudaGraphDestroy(graph));
    return plans_[bucket] = exec;
}

std::vector<float> Executor::infer(const std::vector<float>& rows, int batch) {
    int bucket = 1;
    while (bucket < batch) bucket *= 2;
    cudaGraphExec_t exec = plan(bucket);

    std::copy(rows.begin(), rows.end(), hostIn_);
    std::fill(hostIn_ + rows.size(), hostIn_ + bucket * kWidth, 0.0f);
    check(cudaGraphLaunch(exec, stream_));
    check(cudaStreamSynchronize(stream_));
    return {hostOut_, hostOut_ + batch * kWidth};
}

}  // namespace rank
