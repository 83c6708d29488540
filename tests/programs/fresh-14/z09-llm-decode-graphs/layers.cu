#include "layers.cuh"

#include "arena.h"

namespace llm {
namespace {

__global__ void attention_kernel(std::uint32_t* x, const AttentionArgs* args)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kHidden)
        x[i] = x[i] * args->scale + args->shift;
}

__global__ void mlp_kernel(std::uint32_t* x, const MlpArgs* args)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kHidden)
        x[i] = (x[i] ^ args->gate) + args->up;
}

constexpr int kThreads = 256;
constexpr int kGrid = (kHidden + kThreads - 1) / kThreads;

}  // namespace

void attention(std::uint32_t* x, const AttentionArgs* args, cudaStream_t s)
{
    attention_kernel<<<kGrid, kThreads, 0, s>>>(x, args);
    check(cudaGetLastError());
}

void mlp(std::uint32_t* x, const MlpArgs* args, cudaStream_t s)
{
    mlp_kernel<<<kGrid, kThreads, 0, s>>>(x, args);
    check(cudaGetLastError());
}

}  // namespace llm
