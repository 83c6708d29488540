#include "chain.h"

#include <algorithm>

namespace room {
namespace {

__host__ __device__ inline uint32_t reflect(const uint32_t* in, const Wall& w, int i, const uint32_t* tap) {
    uint32_t acc = w.offset;
    for (int k = 0; k < kTaps && k <= i; ++k) acc += tap[k] * in[i - k];
    return acc;
}

__global__ void reflect_kernel(const uint32_t* in, uint32_t* out, const Wall* wall, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t* tap = reinterpret_cast<const uint32_t*>(wall);
    out[i] = reflect(in, *wall, i, tap);
}

}  // namespace

ChainBuilder& ChainBuilder::wall(uint32_t absorption, uint32_t offset) {
    Wall w;
    for (int k = 0; k < kTaps; ++k) w.tap[k] = (absorption * 2u + 1u) * (k + 1) % 1021u;
    w.offset = offset;
    walls_.push_back(w);
    return *this;
}

Chain ChainBuilder::build(cudaStream_t stream) const {
    Chain chain;
    chain.title_ = title_;
    chain.block_ = block_;
    chain.front_ = on_device<uint32_t>(block_);
    chain.back_ = on_device<uint32_t>(block_);
    chain.walls_ = on_device<Wall>(walls_.size());
    chain.upload_ = page_locked<Wall>(1);

    cudaGraph_t graph = nullptr;
    expect(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    uint32_t* src = chain.front_.get();
    uint32_t* dst = chain.back_.get();
    Wall* upload = chain.upload_.get();
    for (size_t w = 0; w < walls_.size(); ++w) {
        Wall* live = chain.walls_.get() + w;
        *upload = walls_[w];
        expect(cudaMemcpyAsync(live, upload, sizeof(Wall), cudaMemcpyHostToDevice, stream));
        reflect_kernel<<<(block_ + 127) / 128, 128, 0, stream>>>(src, dst, live, block_);
        expect(cudaGetLastError());
        std::swap(src, dst);
    }
    expect(cudaStreamEndCapture(stream, &graph));
    chain.wet_ = src;

    cudaGraphExec_t exec = nullptr;
    const cudaError_t made = cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    expect(made);
    chain.exec_.reset(exec, [](cudaGraphExec_t e) { cudaGraphExecDestroy(e); });
    return chain;
}

void ChainBuilder::render(std::vector<uint32_t>& samples) const {
    std::vector<uint32_t> next(samples.size());
    for (const Wall& w : walls_) {
        for (size_t i = 0; i < samples.size(); ++i) {
            next[i] = reflect(samples.data(), w, static_cast<int>(i), w.tap.data());
        }
        samples.swap(next);
    }
}

}  // namespace room
