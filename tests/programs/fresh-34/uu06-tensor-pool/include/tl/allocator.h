#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "tl/status.h"

namespace tl {

// A piece of device memory that travels between the cache and its users.
struct Block {
    void* ptr = nullptr;
    std::size_t bytes = 0;
    cudaStream_t owner = nullptr;
    cudaEvent_t retired = nullptr;
    bool recycled = false;
};

struct AllocatorStats {
    int grown = 0;
    int reused = 0;
    int crossed = 0;
};

// Caching allocator. A block that a user hands back is ready again at once; `retired` marks the
// end of the work that its owner had enqueued by then.
class CachingAllocator {
public:
    static CachingAllocator& instance();

    Block* acquire(std::size_t bytes, cudaStream_t stream);
    void release(Block* block);

    AllocatorStats stats() const;
    void trim();

private:
    CachingAllocator() = default;

    static std::size_t round_up(std::size_t bytes);
    Block* take_cached(std::size_t bytes);
    Block* grow(std::size_t bytes);
    void adopt(Block* block, cudaStream_t stream);

    mutable std::mutex mutex_;
    std::multimap<std::size_t, Block*> cache_;
    std::vector<std::unique_ptr<Block>> blocks_;
    AllocatorStats stats_;
};

}  // namespace tl
