#include "plan.hpp"

#include <algorithm>

namespace taps {

namespace {

__global__ void fir(const float* bank, int taps, const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float acc = 0.f;
    for (int k = 0; k < taps && k <= i; ++k) acc += bank[k] * in[i - k];
    out[i] = acc;
}

}  // namespace

Engine::Engine() : staging(4, kMaxTaps * sizeof(float)) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMalloc(&bank, kMaxTaps * sizeof(float)));
}

Engine::~Engine() {
    cudaStreamSynchronize(stream);
    cudaFree(bank);
    cudaStreamDestroy(stream);
}

void Plan::uploadTaps(const std::vector<float>& taps) {
    blocks_.push_back(engine_.staging.lease());
    const PinnedPool::Lease& block = blocks_.back();
    std::copy(taps.begin(), taps.end(), block.as<float>());
    check(cudaMemcpyAsync(engine_.bank, block.as<float>(), taps.size() * sizeof(float),
                          cudaMemcpyHostToDevice, engine_.stream));
}

Plan::Plan(Engine& e, const std::vector<float>& taps, const float* in, float* out, int n)
    : engine_(e) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(engine_.stream, cudaStreamCaptureModeThreadLocal));
    uploadTaps(taps);
    fir<<<(n + 255) / 256, 256, 0, engine_.stream>>>(engine_.bank, static_cast<int>(taps.size()),
                                                     in, out, n);
    check(cudaGetLastError());
    check(cudaStreamEndCapture(engine_.stream, &graph));
    check(cudaGraphInstantiate(&exec_, graph, 0));
    check(cudaGraphDestroy(graph));
}

Plan::~Plan() {
    cudaStreamSynchronize(engine_.stream);
    cudaGraphExecDestroy(exec_);
}

void Plan::exec() { check(cudaGraphLaunch(exec_, engine_.stream)); }

}  // namespace taps
