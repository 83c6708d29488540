#pragma once
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include <cuda_runtime.h>

namespace seis {

#define SEIS_TRY(x) ::seis::expect((x))

inline void expect(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::quick_exit(1);
}

template <class T>
struct IoAllocator {
    using value_type = T;
    IoAllocator() = default;
    template <class U> IoAllocator(const IoAllocator<U> &) {}
    T *allocate(std::size_t n)
    {
        void *p = nullptr;
        if (cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocPortable) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T *>(p);
    }
    void deallocate(T *p, std::size_t) { cudaFreeHost(p); }
    template <class U> bool operator==(const IoAllocator<U> &) const { return true; }
    template <class U> bool operator!=(const IoAllocator<U> &) const { return false; }
};

using Samples = std::vector<float, IoAllocator<float>>;

// Scratch of one shot, out of the pool of the device.
template <class T>
class Scratch {
public:
    Scratch(std::size_t n, cudaStream_t s) : s_(s)
    {
        SEIS_TRY(cudaMallocAsync(reinterpret_cast<void **>(&p_), n * sizeof(T), s_));
    }
    ~Scratch() { cudaFreeAsync(p_, s_); }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    operator T *() const { return p_; }

private:
    T *p_ = nullptr;
    cudaStream_t s_;
};

inline void configure_pool()
{
    cudaMemPool_t pool;
    SEIS_TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long keep = std::numeric_limits<unsigned long long>::max();
    SEIS_TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    int chain = 0;
    SEIS_TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &chain));
}

} // namespace seis
