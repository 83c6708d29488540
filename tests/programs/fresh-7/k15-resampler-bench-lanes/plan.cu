#include "plan.h"

#include <cstdio>
#include <cstdlib>

namespace audio {
namespace {

__device__ void occupy(unsigned milliseconds)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < milliseconds * 1000000ull);
}

__global__ void design_filter(int* filter, int ratio)
{
    occupy(80); // Remez exchange
    for (int t = threadIdx.x; t < taps; t += blockDim.x) filter[t] = (t * 5 + ratio) % 31 - 15;
}

__global__ void resample(int const* in, int* out, int const* filter, int ratio)
{
    occupy(10);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < out_samples; i += gridDim.x * blockDim.x) {
        int sum = 0;
        for (int t = 0; t < taps; ++t) sum += in[i * ratio + t] * filter[t];
        out[i] = sum;
    }
}

} // namespace

void expect_ok(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

plan::plan(int ratio, cudaStream_t lane) : ratio_{ratio}, lane_{lane}
{
    expect_ok(cudaMalloc(&filter_, sizeof(int) * taps));
    design_filter<<<1, 128, 0, lane_>>>(filter_, ratio_);
    expect_ok(cudaGetLastError());
    expect_ok(cudaStreamSynchronize(lane_));
}

plan::~plan() { cudaFree(filter_); }

void plan::run(int const* in, int* out) const
{
    resample<<<8, 128, 0, lane_>>>(in, out, filter_, ratio_);
    expect_ok(cudaGetLastError());
}

} // namespace audio
