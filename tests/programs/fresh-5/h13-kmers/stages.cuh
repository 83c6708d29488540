#pragma once

#include <cub/cub.cuh>
#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <utility>

namespace genomics {

[[noreturn]] void die(cudaError_t rc);

inline void must(cudaError_t rc)
{
    if (rc != cudaSuccess) die(rc);
}

template <class T>
using Dev = std::unique_ptr<T, std::function<void(T*)>>;

template <class T>
Dev<T> dev(std::size_t n)
{
    void* p = nullptr;
    must(cudaMalloc(&p, n * sizeof(T)));
    must(cudaMemset(p, 0, n * sizeof(T)));
    return Dev<T>(static_cast<T*>(p), [](T* q) { cudaFree(q); });
}

__host__ __device__ inline unsigned kmer_hits(unsigned read, unsigned batch)
{
    unsigned x = read * 747796405u + batch * 2891336453u;
    x ^= x >> 15;
    return x & 31u;
}

__global__ void scan_reads(unsigned* hits, int reads, unsigned batch, long long effort)
{
    const long long begin = clock64();
    while (clock64() - begin < effort) {
    }
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < reads; r += gridDim.x * blockDim.x)
        hits[r] = kmer_hits(static_cast<unsigned>(r), batch);
}

// Every stage owns nothing but its parameters and issues its work from issue().
template <class Derived>
class Stage {
public:
    template <class... Args>
    Derived& operator()(Args&&... args)
    {
        self().issue(std::forward<Args>(args)...);
        must(cudaPeekAtLastError());
        return self();
    }

private:
    Derived& self() { return static_cast<Derived&>(*this); }
};

class Scan : public Stage<Scan> {
public:
    explicit Scan(long long effort) : effort_(effort) {}
    void issue(unsigned* hits, int reads, unsigned batch, cudaStream_t stream)
    {
        scan_reads<<<32, 256, 0, stream>>>(hits, reads, batch, effort_);
    }

private:
    long long effort_;
};

class Total : public Stage<Total> {
public:
    explicit Total(int reads)
    {
        must(cub::DeviceReduce::Sum(nullptr, bytes_, static_cast<unsigned*>(nullptr), static_cast<unsigned*>(nullptr), reads));
        scratch_ = dev<unsigned char>(bytes_);
    }
    void issue(const unsigned* hits, unsigned* total, int reads)
    {
        must(cub::DeviceReduce::Sum(scratch_.get(), bytes_, hits, total, reads));
    }

private:
    std::size_t bytes_ = 0;
    Dev<unsigned char> scratch_;
};

class Fetch : public Stage<Fetch> {
public:
    void issue(unsigned* host, const unsigned* device, cudaStream_t stream)
    {
        must(cudaMemcpyAsync(host, device, sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
    }
};

}  // namespace genomics
