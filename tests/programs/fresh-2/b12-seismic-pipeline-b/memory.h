#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace seis {

inline void verify(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

template <class T>
struct PinnedAllocator {
    using value_type = T;
    PinnedAllocator() = default;
    template <class U>
    PinnedAllocator(const PinnedAllocator<U>&) {}
    T* allocate(std::size_t n) {
        void* p = nullptr;
        verify(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault));
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) { cudaFreeHost(p); }
    template <class U>
    bool operator==(const PinnedAllocator<U>&) const { return true; }
    template <class U>
    bool operator!=(const PinnedAllocator<U>&) const { return false; }
};

template <class T>
using PinnedVector = std::vector<T, PinnedAllocator<T>>;

struct Shot {
    PinnedVector<float> traces;
    PinnedVector<float> image;

    Shot(std::size_t samples, float seed) : traces(samples, seed), image(samples, 0.0f) {}
};

}  // namespace seis
