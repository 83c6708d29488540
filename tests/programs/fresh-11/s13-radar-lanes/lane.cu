#include "lane.cuh"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>

namespace radar {

namespace {

constexpr unsigned long long kCompressNanos = 20ull * 1000 * 1000;

__global__ void compressPulse(float* profile, int bins, float echo) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < kCompressNanos);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < bins) profile[i] += echo + static_cast<float>(i % 16);
}

__global__ void detectPower(const float* profile, float* power, int bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < bins) power[i] += profile[i];
}

}  // namespace

void Lane::pulse(int number) {
    const int grid = (bins_ + 127) / 128;
    const auto first = thrust::device_pointer_cast(profile_.get());
    thrust::fill(thrust::device, first, first + bins_, 0.0f);
    compressPulse<<<grid, 128, 0, stream_.get()>>>(profile_.get(), bins_,
                                                   static_cast<float>(beam_ + number));
    expect(cudaGetLastError());
    detectPower<<<grid, 128, 0, stream_.get()>>>(profile_.get(), power_.get(), bins_);
    expect(cudaGetLastError());
}

}  // namespace radar
