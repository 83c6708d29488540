#include "kernels.cuh"

#include "pool_ptr.h"

namespace pore {
namespace {

constexpr unsigned long long kModelNs = 30000000ull;

__global__ void normalise_kernel(const short* raw, int* out, int n, int offset)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = 2 * raw[i] + offset;
}

// Recurrent model: a latency that does not depend on the chunk, then the scores.
__global__ void decode_kernel(const int* signal, int n, unsigned long long* score)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < kModelNs);

    unsigned long long acc = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        acc += static_cast<unsigned long long>(signal[i]);
    atomicAdd(score, acc);
}

}  // namespace

void normalise(const short* raw, int* out, int n, int offset, cudaStream_t s)
{
    normalise_kernel<<<64, 256, 0, s>>>(raw, out, n, offset);
    must(cudaGetLastError());
}

void decode(const int* signal, int n, unsigned long long* score, cudaStream_t s)
{
    decode_kernel<<<32, 256, 0, s>>>(signal, n, score);
    must(cudaGetLastError());
}

}  // namespace pore
