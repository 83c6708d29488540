#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#define CU(expr)                                                  \
    do {                                                          \
        cudaError_t cu_ = (expr);                                 \
        if (cu_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(cu_));     \
            std::exit(1);                                         \
        }                                                         \
    } while (0)

class DeviceAllocator {
public:
    virtual ~DeviceAllocator() = default;
    virtual void *allocate(std::size_t bytes, cudaStream_t stream) = 0;
    virtual void deallocate(void *ptr, std::size_t bytes, cudaStream_t stream) = 0;
};

class RawAllocator final : public DeviceAllocator {
public:
    void *allocate(std::size_t bytes, cudaStream_t) override
    {
        void *p = nullptr;
        CU(cudaMalloc(&p, bytes));
        return p;
    }
    void deallocate(void *ptr, std::size_t, cudaStream_t) override { CU(cudaFree(ptr)); }
};

// Typed buffer whose memory belongs to a DeviceAllocator.
template <class T>
class Buffer {
public:
    Buffer(DeviceAllocator &a, std::size_t n, cudaStream_t s)
        : alloc_(&a), n_(n), stream_(s), ptr_(static_cast<T *>(a.allocate(n * sizeof(T), s)))
    {
    }
    Buffer(const Buffer &) = delete;
    Buffer(Buffer &&o) noexcept : alloc_(o.alloc_), n_(o.n_), stream_(o.stream_), ptr_(std::exchange(o.ptr_, nullptr)) {}
    ~Buffer()
    {
        if (ptr_)
            alloc_->deallocate(ptr_, n_ * sizeof(T), stream_);
    }
    T *data() const { return ptr_; }

private:
    DeviceAllocator *alloc_;
    std::size_t n_;
    cudaStream_t stream_;
    T *ptr_;
};
