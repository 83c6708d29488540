// Allocator for the host containers of the loader.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

namespace loader {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

template <class T>
struct TransferAllocator {
    using value_type = T;

    TransferAllocator() = default;
    template <class U>
    TransferAllocator(const TransferAllocator<U>&) {}

    T* allocate(std::size_t n) {
        void* p = nullptr;
        if (cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocPortable) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) noexcept { cudaFreeHost(p); }

    template <class U>
    bool operator==(const TransferAllocator<U>&) const { return true; }
    template <class U>
    bool operator!=(const TransferAllocator<U>&) const { return false; }
};

template <class T>
using Buffer = std::vector<T, TransferAllocator<T>>;

}  // namespace loader
