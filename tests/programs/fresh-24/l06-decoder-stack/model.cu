#include "model.h"

namespace llm {
namespace {

__global__ void embedK(std::uint32_t* x, const State* st)
{
    x[threadIdx.x] = embedding(st->token, threadIdx.x);
}

__global__ void projectK(const std::uint32_t* x, std::uint32_t* kv, int layer)
{
    kv[threadIdx.x] = projected(x[threadIdx.x], layer);
}

__global__ void appendK(const std::uint32_t* kv, std::uint32_t* cache, const State* st)
{
    cache[static_cast<std::size_t>(st->pos) * blockDim.x + threadIdx.x] = kv[threadIdx.x];
}

// The context before this token; its own contribution is in x already.
__global__ void attendK(std::uint32_t* x, const std::uint32_t* cache, const State* st, int context)
{
    std::uint32_t past = 0;
    for (int t = 0; t < context; ++t)
        if (t < st->pos)
            past += cache[static_cast<std::size_t>(t) * blockDim.x + threadIdx.x] * (t + 1);
    x[threadIdx.x] = mixed(x[threadIdx.x], past);
}

__global__ void sampleK(const std::uint32_t* x, State* st, int* text, int vocab)
{
    __shared__ std::uint32_t sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[threadIdx.x] * (threadIdx.x + 1));
    __syncthreads();
    if (threadIdx.x == 0) {
        st->token = static_cast<int>(sum % vocab);
        text[st->pos++] = st->token;
    }
}

}  // namespace

void embed(std::uint32_t* x, const State* st, const Config& c, cudaStream_t s)
{
    embedK<<<1, c.dim, 0, s>>>(x, st);
    GPU_OK(cudaGetLastError());
}

void project(const std::uint32_t* x, std::uint32_t* kv, int layer, const Config& c, cudaStream_t s)
{
    projectK<<<1, c.dim, 0, s>>>(x, kv, layer);
    GPU_OK(cudaGetLastError());
}

void append(const std::uint32_t* kv, std::uint32_t* cache, const State* st, const Config& c, cudaStream_t s)
{
    appendK<<<1, c.dim, 0, s>>>(kv, cache, st);
    GPU_OK(cudaGetLastError());
}

void attend(std::uint32_t* x, const std::uint32_t* cache, const State* st, int context, const Config& c, cudaStream_t s)
{
    attendK<<<1, c.dim, 0, s>>>(x, cache, st, context);
    GPU_OK(cudaGetLastError());
}

void sample(const std::uint32_t* x, State* st, int* text, const Config& c, cudaStream_t s)
{
    sampleK<<<1, c.dim, 0, s>>>(x, st, text, c.vocab);
    GPU_OK(cudaGetLastError());
}

}  // namespace llm
