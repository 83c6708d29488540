#include "pinned_pool.h"

#include "tilec_error.h"

namespace tilec {

PinnedPool::PinnedPool(std::size_t blockBytes, int blocks) : blockBytes_(blockBytes) {
    for (int i = 0; i < blocks; ++i) {
        Block block;
        require(cudaHostAlloc(&block.data, blockBytes_, cudaHostAllocDefault));
        idle_.push_back(block);
    }
}

PinnedPool::~PinnedPool() {
    for (Block& block : idle_) {
        cudaFreeHost(block.data);
    }
}

PinnedPool::Block PinnedPool::acquire() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) throw Error(cudaErrorMemoryAllocation);
    Block block = idle_.front();
    idle_.pop_front();
    return block;
}

void PinnedPool::release(Block block) {
    std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(block);
}

}  // namespace tilec
