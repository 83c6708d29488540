#include "tl/allocator.h"

namespace tl {

CachingAllocator& CachingAllocator::instance() {
    static CachingAllocator* allocator = new CachingAllocator;
    return *allocator;
}

std::size_t CachingAllocator::round_up(std::size_t bytes) {
    std::size_t size = 512;
    while (size < bytes) size *= 2;
    return size;
}

Block* CachingAllocator::take_cached(std::size_t bytes) {
    auto it = cache_.find(bytes);
    if (it == cache_.end()) return nullptr;
    Block* block = it->second;
    cache_.erase(it);
    block->recycled = true;
    ++stats_.reused;
    return block;
}

Block* CachingAllocator::grow(std::size_t bytes) {
    auto block = std::make_unique<Block>();
    block->bytes = bytes;
    ok(cudaMalloc(&block->ptr, bytes));
    ok(cudaEventCreateWithFlags(&block->retired, cudaEventDisableTiming));
    blocks_.push_back(std::move(block));
    ++stats_.grown;
    return blocks_.back().get();
}

void CachingAllocator::adopt(Block* block, cudaStream_t stream) {
    block->owner = stream;
    if (block->recycled && block->owner != stream) {
        ok(cudaStreamWaitEvent(stream, block->retired, 0));
        ++stats_.crossed;
    }
}

Block* CachingAllocator::acquire(std::size_t bytes, cudaStream_t stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t size = round_up(bytes);
    Block* block = take_cached(size);
    if (!block) block = grow(size);
    adopt(block, stream);
    return block;
}

void CachingAllocator::release(Block* block) {
    std::lock_guard<std::mutex> lock(mutex_);
    ok(cudaEventRecord(block->retired, block->owner));
    cache_.emplace(block->bytes, block);
}

AllocatorStats CachingAllocator::stats() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return stats_;
}

void CachingAllocator::trim() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto& entry : cache_) {
        ok(cudaEventSynchronize(entry.second->retired));
        ok(cudaFree(entry.second->ptr));
        ok(cudaEventDestroy(entry.second->retired));
    }
    cache_.clear();
}

}  // namespace tl
