#include "request.h"

namespace {
__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void transcode(int* out, int n, int id, Stamp* stamp, unsigned long long ns) {
    const unsigned long long t0 = now_ns();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = i * 7 + id * 1009;
    while (now_ns() - t0 < ns) {
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        stamp->begin = t0;
        stamp->end = now_ns();
    }
}
}  // namespace

void launch_transcode(int* out, int n, int id, Stamp* stamp, unsigned long long ns, cudaStream_t s) {
    transcode<<<1, 256, 0, s>>>(out, n, id, stamp, ns);
    require(cudaGetLastError());
}
