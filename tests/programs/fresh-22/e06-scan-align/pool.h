// Caching pool of device memory. Blocks belong to the stream of the pool: they
// are handed out again in the order of that stream without asking the driver.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <stdexcept>
#include <utility>
#include <vector>

namespace scan {

class CudaFailure : public std::runtime_error {
public:
    explicit CudaFailure(cudaError_t status) : std::runtime_error(cudaGetErrorName(status)) {}
};

inline void require(cudaError_t status)
{
    if (status != cudaSuccess) throw CudaFailure(status);
}

class CachingPool {
public:
    struct Chunk {
        void* ptr = nullptr;
        std::size_t bytes = 0;
        std::vector<cudaStream_t> guests;      // other streams that work on the chunk
        std::vector<cudaEvent_t> pending;      // their progress when the chunk came back
    };

    explicit CachingPool(cudaStream_t home) : home_(home) {}
    ~CachingPool();
    CachingPool(const CachingPool&) = delete;

    Chunk acquire(std::size_t bytes);
    void release(Chunk&& chunk) noexcept;

private:
    cudaStream_t home_;
    std::list<Chunk> cache_;
};

inline CachingPool::~CachingPool()
{
    for (Chunk& chunk : cache_) {
        for (cudaEvent_t e : chunk.pending) cudaEventDestroy(e);
        cudaFree(chunk.ptr);
    }
}

inline CachingPool::Chunk CachingPool::acquire(std::size_t bytes)
{
    auto fits = std::find_if(cache_.begin(), cache_.end(), [bytes](const Chunk& c) { return c.bytes == bytes; });
    if (fits == cache_.end()) {
        Chunk fresh{nullptr, bytes, {}, {}};
        require(cudaMalloc(&fresh.ptr, bytes));
        return fresh;
    }
    Chunk chunk = std::move(*fits);
    cache_.erase(fits);
    for (cudaEvent_t e : chunk.pending) {
        require(cudaStreamWaitEvent(home_, e, 0));
        require(cudaEventDestroy(e));
    }
    chunk.pending.clear();
    return chunk;
}

inline void CachingPool::release(Chunk&& chunk) noexcept
{
    for (cudaStream_t guest : chunk.guests) {
        cudaEvent_t e = nullptr;
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        cudaEventRecord(e, guest);
        chunk.pending.push_back(e);
    }
    chunk.guests.clear();
    cache_.push_back(std::move(chunk));
}

// Scoped array from a pool.
template <class T>
class Scratch {
public:
    Scratch(CachingPool& pool, std::size_t n) : pool_(&pool), chunk_(pool.acquire(n * sizeof(T))) {}
    Scratch(const Scratch&) = delete;
    ~Scratch() { pool_->release(std::move(chunk_)); }

    T* get() const { return static_cast<T*>(chunk_.ptr); }
    void sharedWith(cudaStream_t guest) { chunk_.guests.push_back(guest); }

private:
    CachingPool* pool_;
    CachingPool::Chunk chunk_;
};

} // namespace scan
