#include "block_cache.h"

namespace feat {

BlockCache::~BlockCache() {
    for (Idle& entry : idle_) {
        for (cudaEvent_t visit : entry.visits) cudaEventDestroy(visit);
        cudaFree(entry.block);
    }
}

std::size_t BlockCache::rounded(std::size_t bytes) {
    constexpr std::size_t grain = std::size_t{1} << 16;
    return (bytes + grain - 1) / grain * grain;
}

void* BlockCache::take(std::size_t bytes, cudaStream_t home) {
    const std::size_t wanted = rounded(bytes);
    for (auto it = idle_.begin(); it != idle_.end(); ++it) {
        if (it->home != home || it->bytes != wanted) continue;
        for (cudaEvent_t visit : it->visits) {
            must(cudaStreamWaitEvent(home, visit, 0));
            must(cudaEventDestroy(visit));
        }
        void* block = it->block;
        idle_.erase(it);
        return block;
    }
    void* block = nullptr;
    must(cudaMalloc(&block, wanted));
    reserved_ += wanted;
    return block;
}

void BlockCache::give(void* block, std::size_t bytes, cudaStream_t home, const std::vector<cudaStream_t>& visitors) {
    Idle entry{block, rounded(bytes), home, {}};
    for (cudaStream_t visitor : visitors) {
        if (visitor == home) continue;
        cudaEvent_t visit = nullptr;
        must(cudaEventCreateWithFlags(&visit, cudaEventDisableTiming));
        must(cudaEventRecord(visit, visitor));
        entry.visits.push_back(visit);
    }
    idle_.push_back(entry);
}

}  // namespace feat
