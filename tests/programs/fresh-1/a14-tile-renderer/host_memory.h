#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

namespace render {

struct RenderError : std::runtime_error {
    explicit RenderError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void guard(cudaError_t e) {
    if (e != cudaSuccess) throw RenderError(e);
}

template <class T>
struct PinnedAllocator {
    using value_type = T;
    PinnedAllocator() = default;
    template <class U> PinnedAllocator(const PinnedAllocator<U>&) {}
    T* allocate(std::size_t n) {
        void* p = nullptr;
        if (cudaMallocHost(&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) noexcept { cudaFreeHost(p); }
    template <class U> bool operator==(const PinnedAllocator<U>&) const { return true; }
    template <class U> bool operator!=(const PinnedAllocator<U>&) const { return false; }
};

template <class T> using PinnedVector = std::vector<T, PinnedAllocator<T>>;

}  // namespace render
