#include "analyzer.h"

namespace va {
namespace {

__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void detect(const std::uint8_t* frame, int pixels, unsigned* energy,
                       unsigned long long cost_ns) {
    const unsigned long long begin = now_ns();
    unsigned local = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        local += frame[i];
    while (now_ns() - begin < cost_ns) {
    }
    atomicAdd(energy, local);
}

}  // namespace

Analyzer::Analyzer(const AnalyzerConfig& config)
    : config_(config),
      frame_(static_cast<std::size_t>(config.width) * config.height),
      energy_(config.max_frames) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, detect));
    check(cudaMemsetAsync(energy_.data(), 0, energy_.bytes(), stream_.get()));
    stream_.finish();
}

void Analyzer::submit(DecodedFrame frame) {
    check(cudaMemcpyAsync(frame_.data(), frame.lease.pixels(), frame_.bytes(),
                          cudaMemcpyHostToDevice, stream_.get()));
    detect<<<32, 256, 0, stream_.get()>>>(frame_.data(), static_cast<int>(frame_.size()),
                                          energy_.data() + frame.id, config_.model_cost_ns);
    check(cudaGetLastError());
}

std::vector<unsigned> Analyzer::results() {
    stream_.finish();
    std::vector<unsigned> host(energy_.size());
    check(cudaMemcpy(host.data(), energy_.data(), energy_.bytes(), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace va
