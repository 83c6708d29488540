#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CUDA_OK(expr)                                              \
    do {                                                           \
        cudaError_t err_ = (expr);                                 \
        if (err_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(err_));     \
            std::fflush(stdout);                                   \
            std::_Exit(1);                                         \
        }                                                          \
    } while (0)

namespace genomics {

class PinnedPool {
public:
    struct Block {
        unsigned char* data = nullptr;
    };

    PinnedPool(int blocks, size_t bytes) : bytes_(bytes), blocks_(blocks) {
        for (auto& b : blocks_) {
            CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&b.data), bytes_, cudaHostAllocDefault));
            free_.push_back(&b);
        }
    }
    ~PinnedPool() {
        for (auto& b : blocks_) CUDA_OK(cudaFreeHost(b.data));
    }
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    Block* take() {
        if (free_.empty()) {
            std::printf("ERROR pool_exhausted\n");
            std::_Exit(1);
        }
        Block* b = free_.back();
        free_.pop_back();
        return b;
    }
    void give(Block* b) { free_.push_back(b); }
    size_t block_bytes() const { return bytes_; }

private:
    size_t bytes_;
    std::vector<Block> blocks_;
    std::vector<Block*> free_;
};

class Lease {
public:
    explicit Lease(PinnedPool& pool) : pool_(&pool), block_(pool.take()) {}
    ~Lease() {
        if (block_) pool_->give(block_);
    }
    Lease(Lease&& o) noexcept : pool_(o.pool_), block_(std::exchange(o.block_, nullptr)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    unsigned char* data() const { return block_->data; }
    size_t size() const { return pool_->block_bytes(); }

private:
    PinnedPool* pool_;
    PinnedPool::Block* block_;
};

}  // namespace genomics
