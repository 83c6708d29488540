#include "stacker.cuh"

namespace seis {

__global__ void synthesise_gather(float* gather, int n, float level) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        gather[i] = level + float(i % 7);
}

// The move-out search costs the same time whatever the gather holds.
__global__ void moveout_and_sum(const float* gather, float* trace, int n, long long search_ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while ((long long)(now - begin) < search_ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        trace[i] = 2.0f * gather[i];
}

Stacker::Stacker(BlockPool& pool, int samples) : pool_(pool), samples_(samples) {
    ok(cudaMalloc(&result_, sizeof(float) * samples * kMaxShots));
    synthesise_gather<<<1, 32>>>(result_, 0, 0.f);
    moveout_and_sum<<<1, 32>>>(result_, result_, 0, 0);
    ok(cudaGetLastError());
    ok(cudaDeviceSynchronize());
}

Stacker::~Stacker() { cudaFree(result_); }

void Stacker::stack(int shot, const Lane& lane) {
    auto gather = pool_.take();
    synthesise_gather<<<16, 256, 0, lane.stream>>>(gather.get(), samples_, 100.0f * (shot + 1));
    ok(cudaGetLastError());
    moveout_and_sum<<<16, 256, 0, lane.stream>>>(gather.get(), result_ + shot * samples_, samples_, 40'000'000LL);
    ok(cudaGetLastError());
}

}  // namespace seis
