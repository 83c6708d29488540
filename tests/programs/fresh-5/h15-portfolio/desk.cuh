#pragma once

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace mc {

class CudaException : public std::runtime_error {
public:
    explicit CudaException(cudaError_t rc) : std::runtime_error(cudaGetErrorName(rc)) {}
};

inline void expect(cudaError_t rc)
{
    if (rc != cudaSuccess) throw CudaException(rc);
}

struct Contract {
    std::string desk;
    int strike;
    int notional;

    friend bool operator<(const Contract& a, const Contract& b) { return a.notional < b.notional; }
};

constexpr int kBuckets = 1024;

__global__ void simulate(unsigned* buckets, int paths, int strike, unsigned long long ns)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < paths; p += gridDim.x * blockDim.x)
        atomicAdd(&buckets[(p * 31 + strike) % kBuckets], static_cast<unsigned>(strike));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < ns);
}

class Desk {
public:
    Desk(int slots) : slots_(slots)
    {
        expect(cudaStreamCreate(&stream_));
        void* p = nullptr;
        expect(cudaMalloc(&p, kBuckets * sizeof(unsigned)));
        buckets_ = {static_cast<unsigned*>(p), [](unsigned* q) { cudaFree(q); }};
        expect(cudaMallocHost(&p, slots * kBuckets * sizeof(unsigned)));
        results_ = {static_cast<unsigned*>(p), [](unsigned* q) { cudaFreeHost(q); }};
    }
    ~Desk() { cudaStreamDestroy(stream_); }
    Desk(const Desk&) = delete;

    // Prices one contract into the next free result slot.
    int price(const Contract& contract, int paths)
    {
        const int slot = next_++ % slots_;
        const auto first = thrust::device_pointer_cast(buckets_.get());
        thrust::fill(thrust::device, first, first + kBuckets, 0u);
        simulate<<<8, 256, 0, stream_>>>(buckets_.get(), paths, contract.strike, 15'000'000ull);
        expect(cudaGetLastError());
        expect(cudaMemcpyAsync(result(slot), buckets_.get(), kBuckets * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
        return slot;
    }

    void settle() { expect(cudaStreamSynchronize(stream_)); }
    unsigned* result(int slot) { return results_.get() + slot * kBuckets; }

private:
    int slots_;
    int next_ = 0;
    cudaStream_t stream_{};
    std::shared_ptr<unsigned> buckets_;
    std::shared_ptr<unsigned> results_;
};

}  // namespace mc
