#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <mutex>

namespace tilec {

/// Page-locked blocks of one size, shared by all sessions of a process.
class PinnedPool {
public:
    struct Block {
        void* data = nullptr;
        cudaEvent_t lastUse = nullptr;
    };

    PinnedPool(std::size_t blockBytes, int blocks);
    ~PinnedPool();
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    std::size_t blockBytes() const { return blockBytes_; }
    Block acquire();
    void release(Block block, cudaStream_t stream);

private:
    std::size_t blockBytes_;
    std::mutex mutex_;
    std::deque<Block> idle_;
};

/// A block on loan; used in one stream, goes back to its pool at the end of the scope.
template <class T>
class PinnedArray {
public:
    PinnedArray(PinnedPool& pool, cudaStream_t stream)
        : pool_(pool), stream_(stream), block_(pool.acquire()) {}
    ~PinnedArray() { pool_.release(block_, stream_); }
    PinnedArray(const PinnedArray&) = delete;
    PinnedArray& operator=(const PinnedArray&) = delete;

    T* data() const { return static_cast<T*>(block_.data); }
    T& operator[](std::size_t i) const { return data()[i]; }

private:
    PinnedPool& pool_;
    cudaStream_t stream_;
    PinnedPool::Block block_;
};

}  // namespace tilec
