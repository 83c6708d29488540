#include "session.h"

#include "quant.h"
#include "tilec_error.h"

namespace tilec {
namespace {

__global__ void encodeTiles(const int32_t* frame, const int32_t* steps, int32_t* levels, int count,
                            unsigned long long entropyNs) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < entropyNs);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) levels[i] = frame[i] / steps[i % kTile];
}

constexpr unsigned long long kEntropyNs = 40000000ull;

}  // namespace

Session::Session(PinnedPool& pool, int coefficients) : pool_(pool), coefficients_(coefficients) {
    require(pool.blockBytes() >= sizeof(int32_t) * kTile ? cudaSuccess : cudaErrorInvalidValue);
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaMalloc(&steps_, sizeof(int32_t) * kTile));
}

Session::~Session() {
    cudaStreamSynchronize(stream_);
    cudaFree(steps_);
    cudaStreamDestroy(stream_);
}

void Session::uploadSteps(int quality) {
    PinnedArray<int32_t> steps(pool_);
    buildSteps(quality, steps.data());
    require(cudaMemcpyAsync(steps_, steps.data(), sizeof(int32_t) * kTile, cudaMemcpyHostToDevice,
                            stream_));
}

void Session::submit(const int32_t* frame, int quality, int32_t* levels) {
    uploadSteps(quality);
    const int grid = (coefficients_ + 255) / 256;
    encodeTiles<<<grid, 256, 0, stream_>>>(frame, steps_, levels, coefficients_, kEntropyNs);
    require(cudaGetLastError());
}

void Session::flush() { require(cudaStreamSynchronize(stream_)); }

}  // namespace tilec
