#include "block_cache.h"

#include "status.h"

namespace fstore {

BlockCache::~BlockCache() {
    for (Block& b : idle_blocks_) cudaFree(b.ptr);
}

void BlockCache::reserve(std::size_t count, std::size_t bytes) {
    for (std::size_t i = 0; i < count; ++i) {
        Block b{nullptr, bytes};
        FS_CHECK(cudaMalloc(&b.ptr, bytes));
        idle_blocks_.push_back(b);
        idle_ += bytes;
    }
}

Block BlockCache::acquire(std::size_t bytes) {
    for (auto it = idle_blocks_.begin(); it != idle_blocks_.end(); ++it) {
        if (it->bytes < bytes) continue;
        Block b = *it;
        idle_blocks_.erase(it);
        idle_ -= b.bytes;
        return b;
    }
    throw std::runtime_error("feature store: cache exhausted");
}

void BlockCache::release(Block b) {
    idle_blocks_.push_back(b);
    idle_ += b.bytes;
    if (idle_ > idle_limit_) trim();
}

void BlockCache::trim() {
    while (idle_ > idle_limit_ && !idle_blocks_.empty()) {
        Block victim = idle_blocks_.front();
        idle_blocks_.erase(idle_blocks_.begin());
        idle_ -= victim.bytes;
        FS_CHECK(cudaFree(victim.ptr));
    }
}
}  // namespace fstore
