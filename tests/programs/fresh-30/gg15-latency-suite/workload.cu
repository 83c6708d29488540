#include "probes.h"
#include "workload.h"

namespace suite {
namespace {

constexpr int kTable = 1 << 14;
constexpr int kThreads = 256;

__host__ __device__ unsigned entry(int i) { return (static_cast<unsigned>(i) * 2654435761u) >> 12; }

__global__ void fill_table(unsigned* table) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < kTable) table[i] = entry(i);
}

__global__ void lookup(const unsigned* table, unsigned* answer, Span* span, int request, long long ns) {
    __shared__ unsigned sum;
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, table[(static_cast<int>(threadIdx.x) * 53 + request * 7) % kTable]);
    __syncthreads();
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
    if (threadIdx.x == 0) {
        *answer = sum;
        span->begin = begin;
        span->end = now;
    }
}

}  // namespace

LookupService::LookupService(int requests, double ms) : requests_(requests), ms_(ms) {
    good(cudaMalloc(reinterpret_cast<void**>(&table_), kTable * sizeof(unsigned)));
    good(cudaMalloc(reinterpret_cast<void**>(&answers_), static_cast<size_t>(requests) * sizeof(unsigned)));
    good(cudaMalloc(reinterpret_cast<void**>(&spans_), static_cast<size_t>(requests) * sizeof(Span)));
    good(cudaMemset(answers_, 0, static_cast<size_t>(requests) * sizeof(unsigned)));
    fill_table<<<kTable / kThreads, kThreads>>>(table_);
    good(cudaGetLastError());
    good(cudaDeviceSynchronize());
}

LookupService::~LookupService() {
    cudaFree(table_);
    cudaFree(answers_);
    cudaFree(spans_);
}

void LookupService::submit(cudaStream_t s, int request) {
    lookup<<<1, kThreads, 0, s>>>(table_, answers_ + request, spans_ + request, request,
                                  static_cast<long long>(ms_ * 1e6));
    good(cudaGetLastError());
}

std::vector<Span> LookupService::spans() const {
    std::vector<Span> v(static_cast<size_t>(requests_));
    good(cudaMemcpy(v.data(), spans_, v.size() * sizeof(Span), cudaMemcpyDeviceToHost));
    return v;
}

std::vector<unsigned> LookupService::answers() const {
    std::vector<unsigned> v(static_cast<size_t>(requests_));
    good(cudaMemcpy(v.data(), answers_, v.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return v;
}

unsigned LookupService::expected(int request) {
    unsigned sum = 0;
    for (int t = 0; t < kThreads; ++t) sum += entry((t * 53 + request * 7) % kTable);
    return sum;
}

}  // namespace suite
