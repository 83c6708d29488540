// Host memory of sample buffers: an allocator for standard containers that
// takes its memory from the heap or from the driver.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#define SYNTH_CHECK(expr)                                                            \
    do {                                                                             \
        if (cudaError_t rc_ = (expr); rc_ != cudaSuccess) {                          \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));                        \
            std::fflush(stdout);                                                     \
            std::_Exit(3);                                                           \
        }                                                                            \
    } while (0)

namespace synth {

enum class HostMemory { Heap, Driver };

template <class T>
class HostAllocator {
public:
    using value_type = T;

    HostAllocator(HostMemory kind = HostMemory::Heap) noexcept : kind_(kind) {}
    template <class U>
    HostAllocator(const HostAllocator<U>& other) noexcept : kind_(other.kind()) {}

    T* allocate(std::size_t n)
    {
        void* ptr = nullptr;
        if (kind_ == HostMemory::Driver) {
            SYNTH_CHECK(cudaHostAlloc(&ptr, n * sizeof(T), cudaHostAllocDefault));
        } else {
            ptr = ::operator new(n * sizeof(T));
        }
        return static_cast<T*>(ptr);
    }
    void deallocate(T* ptr, std::size_t) noexcept
    {
        if (kind_ == HostMemory::Driver) cudaFreeHost(ptr);
        else ::operator delete(ptr);
    }

    // Copies of a track are kept by the undo history.
    HostAllocator select_on_container_copy_construction() const { return HostAllocator(); }

    HostMemory kind() const noexcept { return kind_; }

    friend bool operator==(const HostAllocator& a, const HostAllocator& b) { return a.kind_ == b.kind_; }
    friend bool operator!=(const HostAllocator& a, const HostAllocator& b) { return !(a == b); }

private:
    HostMemory kind_;
};

template <class T>
using Samples = std::vector<T, HostAllocator<T>>;

} // namespace synth
