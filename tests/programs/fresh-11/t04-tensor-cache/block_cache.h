#pragma once
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

namespace mem {

inline void must(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Keeps released blocks by stream and size, since cudaMalloc is too slow for every layer.
class BlockCache {
public:
    static BlockCache& instance()
    {
        static BlockCache cache;
        return cache;
    }

    void* take(std::size_t bytes, cudaStream_t stream)
    {
        bytes = rounded(bytes);
        std::lock_guard<std::mutex> lock(mutex_);
        auto& shelf = idle_[{stream, bytes}];
        if (!shelf.empty()) {
            void* block = shelf.back();
            shelf.pop_back();
            return block;
        }
        void* block = nullptr;
        must(cudaMalloc(&block, bytes));
        return block;
    }

    void give(void* block, std::size_t bytes, cudaStream_t stream)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_[{stream, rounded(bytes)}].push_back(block);
    }

    void trim()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        for (auto& [key, shelf] : idle_)
            for (void* block : shelf) must(cudaFree(block));
        idle_.clear();
    }

private:
    BlockCache() = default;
    static std::size_t rounded(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

    std::mutex mutex_;
    std::map<std::pair<cudaStream_t, std::size_t>, std::vector<void*>> idle_;
};

}  // namespace mem
