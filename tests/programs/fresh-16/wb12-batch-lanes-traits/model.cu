#include "host_storage.h"
#include "model.h"

namespace batch {

namespace {

constexpr unsigned long long kModelNs = 40ull * 1000 * 1000;

__host__ __device__ Token rescore_one(Token t) { return Token((t * 40503u) >> 3); }

__device__ unsigned long long timer_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// A small decoder: few blocks, long running.
__global__ void rescore_kernel(const Token* in, Token* out, std::size_t n) {
    const unsigned long long begin = timer_ns();
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = rescore_one(in[i]);
    while (timer_ns() - begin < kModelNs) {
    }
}

}  // namespace

Token rescored(Token t) { return rescore_one(t); }

void rescore(const Token* in, Token* out, std::size_t n, cudaStream_t stream) {
    rescore_kernel<<<4, 256, 0, stream>>>(in, out, n);
    expect(cudaGetLastError());
}

}  // namespace batch
