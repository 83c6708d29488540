#include "effect_chain.h"

namespace audio {
namespace {

__global__ void applyTaps(const float* taps, int n, float* mix, int samples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples) return;
    float acc = 0.f;
    for (int t = 0; t < n; ++t) acc += taps[t];
    mix[i] += acc;
}

}  // namespace

EffectChain::EffectChain(const ChainSpec& spec, int samples, PinnedArena& arena, cudaStream_t recorder)
    : spec_(spec), samples_(samples) {
    call(cudaMalloc(&taps_, spec_.taps * sizeof(float)));
    call(cudaMalloc(&mix_, samples_ * sizeof(float)));
    call(cudaMemsetAsync(mix_, 0, samples_ * sizeof(float), recorder));
    call(cudaStreamSynchronize(recorder));
    record(arena, recorder);
}

EffectChain::~EffectChain() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(mix_);
    cudaFree(taps_);
}

void EffectChain::record(PinnedArena& arena, cudaStream_t recorder) {
    float* table = arena.take(spec_.taps);
    for (int t = 0; t < spec_.taps; ++t) table[t] = spec_.gain;

    cudaGraph_t graph = nullptr;
    call(cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal));
    call(cudaMemcpyAsync(taps_, table, spec_.taps * sizeof(float), cudaMemcpyHostToDevice, recorder));
    applyTaps<<<(samples_ + 255) / 256, 256, 0, recorder>>>(taps_, spec_.taps, mix_, samples_);
    call(cudaGetLastError());
    call(cudaStreamEndCapture(recorder, &graph));
    const cudaError_t built = cudaGraphInstantiate(&exec_, graph, 0);
    cudaGraphDestroy(graph);
    call(built);
}

std::vector<float> EffectChain::output() const {
    std::vector<float> out(samples_);
    call(cudaMemcpy(out.data(), mix_, samples_ * sizeof(float), cudaMemcpyDeviceToHost));
    return out;
}

float EffectChain::expected() const { return spec_.gain * spec_.taps; }

}  // namespace audio
