#include "codec.h"

#include "bench.h"

namespace codec {
namespace {

using bench::guard;

__device__ unsigned long long elapsedFrom(unsigned long long begin) {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t - begin;
}

// The motion search is modelled by its duration.
__global__ void predict(const std::uint8_t* luma, std::int16_t* delta, Format f,
                        unsigned long long searchNs) {
    const unsigned long long begin = elapsedFrom(0);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < f.pixels();
         i += gridDim.x * blockDim.x) {
        const int left = i % f.width ? luma[i - 1] : 128;
        delta[i] = std::int16_t(int(luma[i]) - left);
    }
    while (elapsedFrom(begin) < searchNs) {
    }
}

__global__ void quantise(const std::int16_t* delta, std::int16_t* levels, Format f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < f.pixels();
         i += gridDim.x * blockDim.x)
        levels[i] = std::int16_t(delta[i] / f.quantum);
}

}  // namespace

BlockEncoder::BlockEncoder(Format format) : format_(format) {
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    guard(cudaMalloc(&luma_, format_.pixels()));
    guard(cudaMalloc(&delta_, format_.pixels() * sizeof(std::int16_t)));
    guard(cudaMalloc(&levels_, format_.pixels() * sizeof(std::int16_t)));
}

BlockEncoder::~BlockEncoder() {
    cudaStreamSynchronize(stream_);
    cudaFree(luma_);
    cudaFree(delta_);
    cudaFree(levels_);
    cudaStreamDestroy(stream_);
}

void BlockEncoder::load(const std::vector<std::uint8_t>& luma) {
    guard(cudaMemcpyAsync(luma_, luma.data(), luma.size(), cudaMemcpyHostToDevice, stream_));
    guard(cudaStreamSynchronize(stream_));
}

void BlockEncoder::encode() {
    predict<<<32, 256, 0, stream_>>>(luma_, delta_, format_, 25'000'000ull);
    guard(cudaGetLastError());
    quantise<<<32, 256, 0, stream_>>>(delta_, levels_, format_);
    guard(cudaGetLastError());
}

std::vector<std::int16_t> BlockEncoder::fetch() {
    std::vector<std::int16_t> levels(format_.pixels());
    guard(cudaMemcpyAsync(levels.data(), levels_, levels.size() * sizeof(std::int16_t),
                          cudaMemcpyDeviceToHost, stream_));
    guard(cudaStreamSynchronize(stream_));
    return levels;
}

void BlockEncoder::drain() { guard(cudaStreamSynchronize(stream_)); }

}  // namespace codec
