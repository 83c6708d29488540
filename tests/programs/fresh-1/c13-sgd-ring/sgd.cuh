#pragma once
#include <cstdint>

struct MomentumRule {
    static __host__ __device__ void apply(uint32_t& w, uint32_t& m, uint32_t x) {
        m = m * 3u + x;
        w = (w ^ m) * 2654435761u;
    }
};

template <class Rule>
__global__ void sgd_step(uint32_t* w, uint32_t* m, const uint32_t* batch, int n, unsigned long long forward_ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < forward_ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        Rule::apply(w[i], m[i], batch[i]);
}
