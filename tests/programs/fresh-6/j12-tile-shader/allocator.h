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

// Keeps returned blocks in bins by stream and size.
class BinAllocator final : public DeviceAllocator {
public:
    ~BinAllocator() override
    {
        for (auto &bin : bins_)
            for (void *p : bin.second)
                cudaFree(p);
    }
    void *allocate(std::size_t bytes, cudaStream_t stream) override
    {
        std::lock_guard<std::mutex> lock(mutex_);
        auto &bin = bins_[{stream, bytes}];
        void *p = nullptr;
        if (bin.empty()) {
            CU(cudaMalloc(&p, bytes));
        } else {
            p = bin.back();
            bin.pop_back();
        }
        return p;
    }
    void deallocate(void *ptr, std::size_t bytes, cudaStream_t stream) override
    {
        std::lock_guard<std::mutex> lock(mutex_);
        bins_[{stream, bytes}].push_back(ptr);
    }

private:
    std::mutex mutex_;
    std::map<std::pair<cudaStream_t, std::size_t>, std::vector<void *>> bins_;
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
