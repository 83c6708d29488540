#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace serve {

void must(cudaError_t e);

// Keeps device blocks for reuse by size; cudaMalloc only on a miss.
class BlockCache {
public:
    static BlockCache& instance() {
        static BlockCache cache;
        return cache;
    }

    std::shared_ptr<float> take(std::size_t count) {
        float* raw = nullptr;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            auto& list = idle_[count];
            if (!list.empty()) {
                raw = list.back();
                list.pop_back();
            }
        }
        if (!raw) must(cudaMalloc(&raw, count * sizeof(float)));
        return std::shared_ptr<float>(raw, [this, count](float* p) { give(p, count); });
    }

    void reserve(std::size_t count, int blocks) {
        std::vector<std::shared_ptr<float>> held;
        for (int i = 0; i < blocks; ++i) held.push_back(take(count));
    }

    void trim() {
        std::lock_guard<std::mutex> lock(mutex_);
        for (auto& [count, list] : idle_)
            for (float* p : list) must(cudaFree(p));
        idle_.clear();
    }

private:
    void give(float* p, std::size_t count) {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_[count].push_back(p);
    }

    std::mutex mutex_;
    std::unordered_map<std::size_t, std::vector<float*>> idle_;
};

struct Tensor {
    explicit Tensor(std::size_t n) : count(n), block(BlockCache::instance().take(n)) {}
    float* data() const { return block.get(); }
    std::size_t bytes() const { return count * sizeof(float); }

    std::size_t count;
    std::shared_ptr<float> block;
};

}  // namespace serve
