#include "block_cache.h"

namespace nimbus {

BlockCache& BlockCache::get()
{
    static BlockCache* cache = new BlockCache;
    return *cache;
}

Block* BlockCache::take(std::size_t count, cudaStream_t home)
{
    sweep();
    auto& shelf = idle_[{home, count}];
    if (!shelf.empty()) {
        Block* b = shelf.back();
        shelf.pop_back();
        return b;
    }
    float* p = nullptr;
    ensure(cudaMalloc(&p, count * sizeof(float)));
    return new Block{p, count, home};
}

void BlockCache::give(Block* b, const std::vector<cudaStream_t>& visitors)
{
    Parked p{b, {}};
    for (cudaStream_t s : visitors) {
        if (s == b->home) continue;
        cudaEvent_t e;
        ensure(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        ensure(cudaEventRecord(e, s));
        p.pending.push_back(e);
    }
    if (p.pending.empty())
        idle_[{b->home, b->count}].push_back(b);
    else
        parked_.push_back(std::move(p));
}

bool BlockCache::settled(Parked& p)
{
    while (!p.pending.empty()) {
        cudaError_t q = cudaEventQuery(p.pending.back());
        if (q == cudaErrorNotReady) {
            (void)cudaGetLastError();
            return false;
        }
        ensure(q);
        ensure(cudaEventDestroy(p.pending.back()));
        p.pending.pop_back();
    }
    return true;
}

void BlockCache::sweep()
{
    for (auto it = parked_.begin(); it != parked_.end();) {
        if (settled(*it)) {
            idle_[{it->block->home, it->block->count}].push_back(it->block);
            it = parked_.erase(it);
        } else {
            ++it;
        }
    }
}

void BlockCache::trim()
{
    ensure(cudaDeviceSynchronize());
    sweep();
    for (auto& [key, shelf] : idle_) {
        for (Block* b : shelf) {
            ensure(cudaFree(b->ptr));
            delete b;
        }
        shelf.clear();
    }
}

} // namespace nimbus
