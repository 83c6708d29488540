#include "suite.cuh"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>

__global__ void burn(uint32_t* cell, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    if (threadIdx.x == 0 && blockIdx.x == 0) *cell += 1;
}

namespace {

struct Orbit {
    __host__ __device__ uint32_t operator()(uint32_t x) const {
        for (int i = 0; i < 40000; ++i) x = x * 1664525u + (x >> 16) + 1013904223u;
        return x;
    }
};

}  // namespace

CUfunction burner() {
    cudaFunction_t f = nullptr;
    RT(cudaGetFuncBySymbol(&f, reinterpret_cast<const void*>(burn)));
    return f;
}

uint32_t orbit_sum(uint32_t* values, int n, CUstream stream) {
    thrust::device_ptr<uint32_t> first(values);
    return thrust::transform_reduce(thrust::cuda::par.on(stream), first, first + n, Orbit{}, uint32_t(0),
                                    thrust::plus<uint32_t>());
}

uint32_t orbit_host(uint32_t seed) { return Orbit{}(seed); }
