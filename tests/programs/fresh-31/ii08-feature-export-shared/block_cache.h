#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <list>
#include <vector>

namespace feat {

void must(cudaError_t status);

// Keeps device blocks for reuse; a block belongs to the stream it was first taken for.
class BlockCache {
public:
    BlockCache() = default;
    ~BlockCache();
    BlockCache(const BlockCache&) = delete;
    BlockCache& operator=(const BlockCache&) = delete;

    void* take(std::size_t bytes, cudaStream_t home);
    void give(void* block, std::size_t bytes, cudaStream_t home, const std::vector<cudaStream_t>& visitors);
    std::size_t reserved() const { return reserved_; }

private:
    struct Idle {
        void* block;
        std::size_t bytes;
        cudaStream_t home;
        std::vector<cudaEvent_t> visits;
    };
    static std::size_t rounded(std::size_t bytes);

    std::list<Idle> idle_;
    std::size_t reserved_ = 0;
};

}  // namespace feat
