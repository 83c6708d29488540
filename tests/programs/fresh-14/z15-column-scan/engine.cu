#include "engine.h"

namespace scan {
namespace {

__device__ unsigned long long device_ns()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Column scan; the decompression of a segment takes a fixed time.
__global__ void count_kernel(const int* column, int rows, Predicate p, unsigned* hits, Span* span)
{
    const unsigned long long t0 = device_ns();
    while (device_ns() - t0 < 10000000ull) {
    }
    unsigned n = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x)
        n += column[i] >= p.low && column[i] < p.high;
    atomicAdd(hits, n);
    if (threadIdx.x == 0) {
        atomicMin(&span->begin, t0);
        atomicMax(&span->end, device_ns());
    }
}

}  // namespace

Engine::Engine(const std::vector<int>& column, int sessions, int max_queries)
    : rows_(static_cast<int>(column.size())), max_queries_(max_queries), sessions_(sessions)
{
    for (cudaStream_t& s : sessions_)
        check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    check(cudaMalloc(&column_, column.size() * sizeof(int)));
    check(cudaMalloc(&hits_, max_queries * sizeof(unsigned)));
    check(cudaMalloc(&span_, sizeof(Span)));
    check(cudaMemcpy(column_, column.data(), column.size() * sizeof(int), cudaMemcpyHostToDevice));
    reset();
}

Engine::~Engine()
{
    for (cudaStream_t s : sessions_)
        cudaStreamDestroy(s);
    cudaFree(column_);
    cudaFree(hits_);
    cudaFree(span_);
}

void Engine::count(int session, int query, Predicate p)
{
    count_kernel<<<16, 256, 0, sessions_[session]>>>(column_, rows_, p, hits_ + query, span_);
    check(cudaGetLastError());
}

void Engine::reset()
{
    const Span empty{~0ull, 0ull};
    check(cudaDeviceSynchronize());
    check(cudaMemset(hits_, 0, max_queries_ * sizeof(unsigned)));
    check(cudaMemcpy(span_, &empty, sizeof empty, cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
}

std::vector<unsigned> Engine::results()
{
    std::vector<unsigned> r(max_queries_);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(r.data(), hits_, r.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return r;
}

Span Engine::span()
{
    Span s{};
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(&s, span_, sizeof s, cudaMemcpyDeviceToHost));
    return s;
}

}  // namespace scan
