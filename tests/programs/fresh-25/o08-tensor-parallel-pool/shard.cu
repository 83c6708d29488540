#include "shard.hpp"

#include <cstdio>
#include <cstdlib>

namespace tp {
namespace {

__global__ void widen(const std::int32_t* activations, std::int32_t* scratch, int first, int count) {
    for (int c = threadIdx.x; c < count; c += blockDim.x) scratch[c] = activations[first + c];
}

__global__ void gemv_i8(const std::int8_t* w, const std::int32_t* scratch, std::int32_t* partial,
                        int hidden, int first, int count, unsigned ms) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ms * 1000000ull);
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < hidden; r += gridDim.x * blockDim.x) {
        std::int32_t acc = 0;
        for (int c = 0; c < count; ++c) acc += w[r * hidden + first + c] * scratch[c];
        partial[r] = acc;
    }
}

__global__ void reduce(std::int32_t* activations, const std::int32_t* partials, int hidden,
                       int shards) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= hidden) return;
    std::int32_t acc = 0;
    for (int s = 0; s < shards; ++s) acc += partials[s * hidden + r];
    activations[r] = ((acc % 127) + 127) % 127 - 63;
}

}  // namespace

void fail(cudaError_t rc) {
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::exit(1);
}

Shard::Shard(const Config& cfg, int index, const std::vector<std::int8_t>& weights)
    : cfg_(cfg), first_(index * cfg.hidden / cfg.shards), count_(cfg.hidden / cfg.shards) {
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
    ok(cudaMalloc(&weights_, weights.size()));
    ok(cudaMemcpy(weights_, weights.data(), weights.size(), cudaMemcpyHostToDevice));
}

Shard::~Shard() {
    cudaStreamSynchronize(stream_);
    cudaFree(weights_);
    cudaEventDestroy(done_);
    cudaStreamDestroy(stream_);
}

void Shard::forward(int layer, const std::int32_t* activations, std::int32_t* partial,
                    cudaEvent_t input_ready) {
    const int h = cfg_.hidden;
    std::int32_t* scratch = nullptr;
    ok(cudaStreamWaitEvent(stream_, input_ready, 0));
    ok(cudaMallocAsync(&scratch, count_ * sizeof(std::int32_t), stream_));
    widen<<<1, 128, 0, stream_>>>(activations, scratch, first_, count_);
    gemv_i8<<<2, 128, 0, stream_>>>(weights_ + static_cast<std::size_t>(layer) * h * h, scratch,
                                    partial, h, first_, count_, cfg_.gemv_ms);
    ok(cudaGetLastError());
    ok(cudaFreeAsync(scratch, stream_));
    ok(cudaEventRecord(done_, stream_));
}

void all_reduce(std::int32_t* activations, const std::int32_t* partials, int hidden, int shards,
                cudaStream_t stream) {
    reduce<<<(hidden + 127) / 128, 128, 0, stream>>>(activations, partials, hidden, shards);
    ok(cudaGetLastError());
}

}  // namespace tp
