#include "propagate.cuh"

namespace seis {

namespace {

__device__ unsigned long long device_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void advance(float* field, int steps, int id, Span* span, unsigned long long step_ns) {
    const unsigned long long begin = device_ns();
    for (int k = 0; k < steps; ++k) {
        const unsigned long long t0 = device_ns();
        for (int i = threadIdx.x; i < kCells; i += blockDim.x) field[i] += float(id + 1);
        while (device_ns() - t0 < step_ns) {
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        span->first = begin;
        span->last = device_ns();
    }
}

}  // namespace

void launch_shot(const Shot& shot, float* field, Span* span, cudaStream_t s) {
    advance<<<1, 256, 0, s>>>(field, shot.steps, shot.id, span, 2'000'000ull);
    ok(cudaGetLastError());
}

}  // namespace seis
