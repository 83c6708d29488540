#include "operators.hpp"

namespace ops {
namespace {

constexpr int kBlock = 256;

__global__ void expand(const float *in, float *tmp, int n, float scale, float bias)
{
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n)
        tmp[i] = scale * in[i] + bias;
}

__device__ void refine(unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        __nanosleep(2000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void combine(const float *tmp, float *out, int n, float wa, float wb, unsigned long long ns)
{
    refine(ns);
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n)
        out[i] = wa * tmp[i] + wb * tmp[i + 1 < n ? i + 1 : 0];
}

constexpr unsigned long long kRefineNs = 60ull * 1000 * 1000;

} // namespace

void Lifting::apply(const Signal &sig, cudaStream_t stream)
{
    mem::Lease<float> tmp(pool_, sig.n);
    const int grid = (sig.n + kBlock - 1) / kBlock;
    expand<<<grid, kBlock, 0, stream>>>(sig.in, tmp.data(), sig.n, scale_, bias_);
    combine<<<grid, kBlock, 0, stream>>>(tmp.data(), sig.out, sig.n, 1.f, 1.f, kRefineNs);
    GPU(cudaGetLastError());
}

void Gradient::apply(const Signal &sig, cudaStream_t stream)
{
    mem::Lease<float> tmp(pool_, sig.n);
    const int grid = (sig.n + kBlock - 1) / kBlock;
    expand<<<grid, kBlock, 0, stream>>>(sig.in, tmp.data(), sig.n, rate_, 0.f);
    combine<<<grid, kBlock, 0, stream>>>(tmp.data(), sig.out, sig.n, -1.f, 1.f, kRefineNs);
    GPU(cudaGetLastError());
}

} // namespace ops
