#include "scratch.h"
#include <stdexcept>
namespace desk {
ScratchPool::ScratchPool(int blocks, std::size_t blockBytes) : blockBytes_(blockBytes) {
    blocks_.resize(blocks);
    for (int i = 0; i < blocks; ++i) {
        DESK_CUDA(cudaMalloc(&blocks_[i].base, blockBytes_));
        DESK_CUDA(cudaEventCreateWithFlags(&blocks_[i].idle, cudaEventDisableTiming));
        free_.push_back(i);
    }
}

ScratchPool::~ScratchPool() {
    for (Block& b : blocks_) {
        cudaFree(b.base);
        cudaEventDestroy(b.idle);
    }
}

ScratchPool::Lease ScratchPool::lease(cudaStream_t stream) {
    if (free_.empty()) throw std::runtime_error("scratch exhausted");
    const int block = free_.front();
    free_.pop_front();
    DESK_CUDA(cudaStreamWaitEvent(stream, blocks_[block].idle, 0));
    return Lease(*this, block, stream);
}

void ScratchPool::giveBack(int block, cudaStream_t stream) {
    DESK_CUDA(cudaEventRecord(blocks_[block].idle, stream));
    free_.push_back(block);
}
}  // namespace desk
