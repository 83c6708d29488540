#pragma once
#include <cstddef>
#include <new>
#include <vector>

#include <cuda_runtime.h>

namespace desk {

template <class T>
struct PageLocked {
    using value_type = T;
    PageLocked() = default;
    template <class U>
    PageLocked(const PageLocked<U>&) noexcept {}

    T* allocate(std::size_t n) {
        void* p = nullptr;
        if (cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) noexcept { cudaFreeHost(p); }
};

template <class T, class U>
bool operator==(const PageLocked<T>&, const PageLocked<U>&) { return true; }
template <class T, class U>
bool operator!=(const PageLocked<T>&, const PageLocked<U>&) { return false; }

template <class T>
using Column = std::vector<T, PageLocked<T>>;

}  // namespace desk
