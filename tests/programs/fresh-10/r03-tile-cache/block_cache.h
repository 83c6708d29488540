#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tiles {

// Device blocks by home stream. A block that comes back is handed out again to
// its home stream; `touch` lends it to a further one.
class BlockCache {
public:
    BlockCache() = default;
    ~BlockCache();
    BlockCache(const BlockCache&) = delete;
    BlockCache& operator=(const BlockCache&) = delete;

    cudaError_t take(void** out, std::size_t bytes, cudaStream_t home);
    cudaError_t touch(void* p, cudaStream_t guest);
    cudaError_t give(void* p);
    std::size_t blocks() const { return all_.size(); }

private:
    struct Block {
        void* ptr = nullptr;
        std::size_t bytes = 0;
        cudaStream_t home = nullptr;
        std::vector<cudaStream_t> guests;
        int pending = 0;
    };

    cudaError_t sweep();

    std::unordered_map<void*, std::unique_ptr<Block>> all_;
    std::vector<Block*> idle_;
    std::deque<std::pair<cudaEvent_t, Block*>> waiting_;
};

class TileHandle {
public:
    TileHandle(BlockCache& cache, std::size_t bytes, cudaStream_t home) : cache_(&cache) {
        status_ = cache.take(&ptr_, bytes, home);
    }
    ~TileHandle() {
        if (ptr_) cache_->give(ptr_);
    }
    TileHandle(const TileHandle&) = delete;
    TileHandle& operator=(const TileHandle&) = delete;

    cudaError_t status() const { return status_; }
    cudaError_t lend(cudaStream_t guest) { return cache_->touch(ptr_, guest); }
    template <class T>
    T* as() const {
        return static_cast<T*>(ptr_);
    }

private:
    BlockCache* cache_;
    void* ptr_ = nullptr;
    cudaError_t status_ = cudaSuccess;
};

}  // namespace tiles
