#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <vector>

namespace ct {

// Page aligned, rounded up to whole pages, so that the archive can write
// slices with O_DIRECT.
template <class T>
struct SliceAllocator {
    using value_type = T;
    static constexpr std::size_t page = 4096;

    SliceAllocator() = default;
    template <class U>
    SliceAllocator(const SliceAllocator<U>&) {}

    T* allocate(std::size_t n) {
        const std::size_t bytes = (n * sizeof(T) + page - 1) / page * page;
        void* p = nullptr;
        if (cudaMallocHost(&p, bytes) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) { cudaFreeHost(p); }

    template <class U>
    bool operator==(const SliceAllocator<U>&) const { return true; }
    template <class U>
    bool operator!=(const SliceAllocator<U>&) const { return false; }
};

using SlicePixels = std::vector<float, SliceAllocator<float>>;

}  // namespace ct
