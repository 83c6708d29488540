#include "block_cache.h"

#include <algorithm>

namespace tiles {

cudaError_t BlockCache::sweep() {
    for (std::size_t left = waiting_.size(); left > 0; --left) {
        auto [event, block] = waiting_.front();
        waiting_.pop_front();
        const cudaError_t state = cudaEventQuery(event);
        if (state == cudaErrorNotReady) {
            (void)cudaGetLastError();
            waiting_.emplace_back(event, block);
            continue;
        }
        if (state != cudaSuccess) return state;
        cudaEventDestroy(event);
        if (--block->pending == 0) idle_.push_back(block);
    }
    return cudaSuccess;
}

cudaError_t BlockCache::take(void** out, std::size_t bytes, cudaStream_t home) {
    if (cudaError_t e = sweep()) return e;
    auto fit = std::find_if(idle_.begin(), idle_.end(), [&](const Block* b) {
        return b->home == home && b->bytes >= bytes;
    });
    if (fit != idle_.end()) {
        *out = (*fit)->ptr;
        idle_.erase(fit);
        return cudaSuccess;
    }
    auto block = std::make_unique<Block>();
    if (cudaError_t e = cudaMalloc(&block->ptr, bytes)) return e;
    block->bytes = bytes;
    block->home = home;
    *out = block->ptr;
    all_.emplace(block->ptr, std::move(block));
    return cudaSuccess;
}

cudaError_t BlockCache::touch(void* p, cudaStream_t guest) {
    auto found = all_.find(p);
    if (found == all_.end()) return cudaErrorInvalidValue;
    Block& block = *found->second;
    if (guest != block.home &&
        std::find(block.guests.begin(), block.guests.end(), guest) == block.guests.end()) {
        block.guests.push_back(guest);
    }
    return cudaSuccess;
}

cudaError_t BlockCache::give(void* p) {
    auto found = all_.find(p);
    if (found == all_.end()) return cudaErrorInvalidValue;
    Block* block = found->second.get();
    if (block->guests.empty()) {
        idle_.push_back(block);
        return cudaSuccess;
    }
    for (cudaStream_t guest : block->guests) {
        cudaEvent_t event = nullptr;
        if (cudaError_t e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming)) return e;
        if (cudaError_t e = cudaEventRecord(event, guest)) return e;
        ++block->pending;
        waiting_.emplace_back(event, block);
    }
    block->guests.clear();
    return cudaSuccess;
}

BlockCache::~BlockCache() {
    cudaDeviceSynchronize();
    for (auto& w : waiting_) cudaEventDestroy(w.first);
    for (auto& entry : all_) cudaFree(entry.first);
}

}  // namespace tiles
