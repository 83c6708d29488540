#include "estuary.cuh"

namespace estuary {
namespace {

__host__ __device__ float dischargeAt(int tide, int reach) {
    return 10.0f + 3.0f * static_cast<float>(tide) + 0.01f * static_cast<float>(reach % 100);
}

__host__ __device__ float levelAt(float range, int reach) {
    return range * (1.0f - static_cast<float>(reach) / kReaches);
}

__device__ void iterate(unsigned long long microseconds) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (t1 - t0 < microseconds * 1000ull);
}

__global__ void inflowKernel(float* discharge, int tide) {
    iterate(90'000);
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < kReaches) discharge[r] = dischargeAt(tide, r);
}

__global__ void surgeKernel(float* level, float range) {
    iterate(120'000);
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < kReaches) level[r] = levelAt(range, r);
}

__global__ void mixingKernel(const float* discharge, const float* level, float* salinity) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < kReaches) salinity[r] = 35.0f * level[r] / (level[r] + discharge[r]);
}

__global__ void settlingKernel(const float* salinity, const float* discharge, float* silt) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < kReaches) silt[r] = salinity[r] * 0.2f + discharge[r];
}

constexpr int kThreads = 256;
constexpr int kGrid = kReaches / kThreads;

}  // namespace

void inflow(const Fields& f, Tide tide, cudaStream_t stream) {
    inflowKernel<<<kGrid, kThreads, 0, stream>>>(f.discharge, tide.number);
}

void surge(const Fields& f, Tide tide, cudaStream_t stream) {
    surgeKernel<<<kGrid, kThreads, 0, stream>>>(f.level, tide.range);
}

void mixing(const Fields& f, Tide, cudaStream_t stream) {
    mixingKernel<<<kGrid, kThreads, 0, stream>>>(f.discharge, f.level, f.salinity);
}

void settling(const Fields& f, Tide, cudaStream_t stream) {
    settlingKernel<<<kGrid, kThreads, 0, stream>>>(f.salinity, f.discharge, f.silt);
}

float expectedSilt(Tide tide, int reach) {
    const float d = dischargeAt(tide.number, reach), l = levelAt(tide.range, reach);
    return 35.0f * l / (l + d) * 0.2f + d;
}

}  // namespace estuary
