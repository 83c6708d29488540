#pragma once
#include "lane.cuh"

namespace dendro {

constexpr unsigned long long kFitNs = 12'000'000;
constexpr unsigned long long kIndexNs = 12'000'000;

__device__ inline void relaxFor(unsigned long long ns) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
}

__host__ __device__ inline float growth(int year) { return 0.4f + 2.0f / (1.0f + 0.002f * static_cast<float>(year)); }

__global__ void fitGrowth(const float* widths, float* trend) {
    relaxFor(kFitNs);
    for (int y = threadIdx.x; y < kYears; y += blockDim.x) trend[y] = widths[y] > 0.0f ? growth(y) : 1.0f;
}

__global__ void divideOut(const float* widths, const float* trend, float* index) {
    relaxFor(kIndexNs);
    for (int y = threadIdx.x; y < kYears; y += blockDim.x) index[y] = widths[y] / trend[y];
}

// Removes the age trend of a core: fits the growth curve, then divides by it.
class Detrender {
public:
    void enqueue(Lane& lane, const float* core, float* result) const {
        const std::size_t bytes = sizeof(float) * kYears;
        tryCuda(cudaMemcpyAsync(raw(lane.widths), core, bytes, cudaMemcpyHostToDevice, lane.stream));
        thrust::device_vector<float> trend(kYears);
        fitGrowth<<<1, 256, 0, lane.stream>>>(raw(lane.widths), raw(trend));
        tryCuda(cudaGetLastError());
        divideOut<<<1, 256, 0, lane.stream>>>(raw(lane.widths), raw(trend), raw(lane.index));
        tryCuda(cudaGetLastError());
        tryCuda(cudaMemcpyAsync(result, raw(lane.index), bytes, cudaMemcpyDeviceToHost, lane.stream));
    }
};

}  // namespace dendro
