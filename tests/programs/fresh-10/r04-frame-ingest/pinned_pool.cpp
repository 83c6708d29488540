#include "pinned_pool.h"

namespace ingest {

cudaError_t PinnedPool::acquire(std::size_t bytes, Lease* out) {
    if (made_ < limit_) {
        Block block;
        block.bytes = bytes;
        if (cudaError_t e = cudaMallocHost(&block.ptr, bytes)) return e;
        ++made_;
        *out = Lease(this, block);
        return cudaSuccess;
    }
    if (idle_.empty() || idle_.front().bytes < bytes) return cudaErrorMemoryAllocation;
    Block block = idle_.front();
    idle_.pop_front();
    *out = Lease(this, block);
    return cudaSuccess;
}

PinnedPool::~PinnedPool() {
    for (Block& block : idle_) cudaFreeHost(block.ptr);
}

}  // namespace ingest
