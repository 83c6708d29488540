#include "detector.h"
#include "gpu.h"

namespace tracker {
namespace {

constexpr long long kExposureNs = 30LL * 1000 * 1000;

__device__ long long nowNs() {
    long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void detectStars(const Pixel* frame, int pixels, unsigned long long* flux) {
    const long long begin = nowNs();
    unsigned long long local = 0;
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) local += frame[i];
    atomicAdd(flux, local);
    while (nowNs() - begin < kExposureNs) __nanosleep(1000);
}

}  // namespace

void detect(const Pixel* frame, int pixels, unsigned long long* flux, cudaStream_t stream) {
    detectStars<<<1, 512, 0, stream>>>(frame, pixels, flux);
    gpu::must(cudaGetLastError());
}

}  // namespace tracker
