#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#define RT_CHECK(expr)                                                  \
    do {                                                                \
        cudaError_t status_ = (expr);                                   \
        if (status_ != cudaSuccess) {                                   \
            std::printf("ERROR %s\n", cudaGetErrorName(status_));       \
            std::exit(1);                                               \
        }                                                               \
    } while (0)

namespace rt {

struct Block {
    void* ptr = nullptr;
    std::size_t size = 0;
    cudaStream_t home = nullptr;
    std::vector<cudaStream_t> users;
};

// Device memory cached in one free list per stream; blocks go back to the list
// of the stream they were allocated for and are handed out again in its order.
class CachingAllocator {
public:
    CachingAllocator() = default;
    CachingAllocator(const CachingAllocator&) = delete;
    CachingAllocator& operator=(const CachingAllocator&) = delete;
    ~CachingAllocator();

    Block* allocate(std::size_t bytes, cudaStream_t stream);
    void addUser(Block* block, cudaStream_t stream);
    void release(Block* block);

private:
    struct Deferred {
        Block* block;
        std::vector<cudaEvent_t> events;
    };
    void reclaim();

    std::map<std::pair<cudaStream_t, std::size_t>, std::vector<Block*>> free_;
    std::deque<Deferred> deferred_;
    std::vector<std::unique_ptr<Block>> all_;
};

class Tensor {
public:
    Tensor() = default;
    Tensor(CachingAllocator& pool, int count, cudaStream_t stream)
        : pool_(&pool), count_(count),
          block_(pool.allocate(sizeof(int) * count, stream), [&pool](Block* b) { pool.release(b); }) {}

    int* data() const { return static_cast<int*>(block_->ptr); }
    int count() const { return count_; }
    void usedBy(cudaStream_t stream) const { pool_->addUser(block_.get(), stream); }

private:
    CachingAllocator* pool_ = nullptr;
    int count_ = 0;
    std::shared_ptr<Block> block_;
};

}  // namespace rt
