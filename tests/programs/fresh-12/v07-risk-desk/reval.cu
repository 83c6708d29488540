#include "reval.cuh"

namespace desk {
namespace {

constexpr unsigned long long kPathNs = 12ull * 1000 * 1000;

__global__ void revalue_kernel(const int64_t* notional, int64_t* value, int positions, int scenario) {
    unsigned long long begin, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - begin < kPathNs);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < positions; i += gridDim.x * blockDim.x) {
        value[i] = reprice(notional[i], scenario);
    }
}

}  // namespace

cudaError_t revalue(const int64_t* notional, int64_t* value, int positions, int scenario) {
    revalue_kernel<<<6, 256, 0, cudaStreamPerThread>>>(notional, value, positions, scenario);
    return cudaGetLastError();
}

}  // namespace desk
