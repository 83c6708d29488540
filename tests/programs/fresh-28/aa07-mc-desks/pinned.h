#ifndef MC_PINNED_H
#define MC_PINNED_H

#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <vector>

template <typename T> struct PinnedAllocator {
    using value_type = T;
    PinnedAllocator() = default;
    template <typename U> PinnedAllocator(const PinnedAllocator<U>&) {}

    T* allocate(std::size_t n) {
        void* p = nullptr;
        if (cudaMallocHost(&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) { cudaFreeHost(p); }
};
template <typename T, typename U> bool operator==(const PinnedAllocator<T>&, const PinnedAllocator<U>&) { return true; }
template <typename T, typename U> bool operator!=(const PinnedAllocator<T>&, const PinnedAllocator<U>&) { return false; }

template <typename T> using PinnedVector = std::vector<T, PinnedAllocator<T>>;

#endif
