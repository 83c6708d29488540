#include "codec.cuh"

namespace xcode {
namespace {

__global__ void decode_kernel(uint32_t* samples, SegmentStats* stats, int segment, int n) {
    __shared__ uint32_t energy[kBands];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (threadIdx.x < kBands) energy[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) {
        const uint32_t s = source_sample(segment, i);
        samples[i] = s;
        atomicAdd(&energy[band_of(i)], s >> 6);
    }
    __syncthreads();
    if (i < n && threadIdx.x < kBands) atomicAdd(&stats->energy[threadIdx.x], energy[threadIdx.x]);
}

__global__ void filter_kernel(const uint32_t* samples, const SegmentPlan* plan, uint32_t* coded, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const uint32_t step = *static_cast<const volatile uint32_t*>(&plan->step[band_of(i)]);
    coded[i] = quantise(samples[i], step);
}

__global__ void pack_kernel(const uint32_t* coded, unsigned long long* digest, int segment, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    atomicAdd(&digest[segment], static_cast<unsigned long long>(coded[i]) * static_cast<unsigned>(1 + i % 251));
}

}  // namespace

void decode(uint32_t* samples, SegmentStats* stats, int segment, int n, cudaStream_t stream) {
    decode_kernel<<<kCodecBlocks, kCodecThreads, 0, stream>>>(samples, stats, segment, n);
}

void filter(const uint32_t* samples, const SegmentPlan* plan, uint32_t* coded, int n, cudaStream_t stream) {
    filter_kernel<<<kCodecBlocks, kCodecThreads, 0, stream>>>(samples, plan, coded, n);
}

void pack(const uint32_t* coded, unsigned long long* digest, int segment, int n, cudaStream_t stream) {
    pack_kernel<<<kCodecBlocks, kCodecThreads, 0, stream>>>(coded, digest, segment, n);
}

}  // namespace xcode
