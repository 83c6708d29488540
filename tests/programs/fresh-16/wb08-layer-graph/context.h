#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace nn {

inline void verify(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

// Linear pinned memory for small host-side records.
class HostSlab {
public:
    explicit HostSlab(std::size_t bytes) : size_(bytes) {
        verify(cudaHostAlloc(&base_, bytes, cudaHostAllocDefault));
    }
    ~HostSlab() { cudaFreeHost(base_); }

    template <class T> T* make() {
        const std::size_t at = (used_ + 63) & ~std::size_t(63);
        if (at + sizeof(T) > size_) throw std::bad_alloc();
        used_ = at + sizeof(T);
        return new (static_cast<std::uint8_t*>(base_) + at) T();
    }
    void rewind() { used_ = 0; }
private:
    void* base_ = nullptr;
    std::size_t size_;
    std::size_t used_ = 0;
};

// What a layer sees while it queues its work.
class Context {
public:
    Context() : slab_(4096) {
        verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~Context() { cudaStreamDestroy(stream_); }

    cudaStream_t stream() const { return stream_; }
    HostSlab& slab() { return slab_; }
    void begin_layer() { slab_.rewind(); }
private:
    HostSlab slab_;
    cudaStream_t stream_ = nullptr;
};
}  // namespace nn
