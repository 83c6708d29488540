#include "scratch.h"
#include <stdexcept>
namespace desk {
ScratchPool::ScratchPool(int blocks, std::size_t blockBytes) : blockBytes_(blockBytes) {
    blocks_.resize(blocks);
    for (int i = 0; i < blocks; ++i) {
        DESK_CUDA(cudaMalloc(&blocks_[i].base, blockBytes_));
        free_.push_back(i);
    }
}

ScratchPool::~ScratchPool() {
    for (Block& b : blocks_) cudaFree(b.base);
}

ScratchPool::Lease ScratchPool::lease() {
    if (free_.empty()) throw std::runtime_error("scratch exhausted");
    const int block = free_.front();
    free_.pop_front();
    return Lease(*this, block);
}

void ScratchPool::giveBack(int block) { free_.push_back(block); }
}  // namespace desk
