#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

namespace vid {

inline void must(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

template <class T>
struct HostAllocator {
    using value_type = T;
    HostAllocator() = default;
    template <class U>
    HostAllocator(const HostAllocator<U>&) {}
    T* allocate(size_t n) {
        void* p = nullptr;
        must(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocPortable));
        return static_cast<T*>(p);
    }
    void deallocate(T* p, size_t) { must(cudaFreeHost(p)); }
    template <class U>
    bool operator==(const HostAllocator<U>&) const { return true; }
    template <class U>
    bool operator!=(const HostAllocator<U>&) const { return false; }
};

template <class T>
using HostPlane = std::vector<T, HostAllocator<T>>;

}  // namespace vid
