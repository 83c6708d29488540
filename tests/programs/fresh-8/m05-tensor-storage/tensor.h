#pragma once
#include "block_cache.h"
#include <algorithm>
#include <memory>

namespace nimbus {

struct Storage {
    explicit Storage(Block* b) : block(b) {}
    Storage(const Storage&) = delete;
    ~Storage() { BlockCache::get().give(block, visitors); }

    Block* block;
    std::vector<cudaStream_t> visitors;
};

// A handle on (part of) a cached block.  Handles copy cheaply; the block goes
// back to the cache when the last handle is gone.
class Tensor {
public:
    static Tensor empty(std::size_t n, cudaStream_t home)
    {
        Tensor t;
        t.storage_ = std::make_shared<Storage>(BlockCache::get().take(n, home));
        t.count_ = n;
        return t;
    }

    Tensor(const Tensor&) = default;
    Tensor(Tensor&&) = default;
    Tensor& operator=(const Tensor&) = delete;

    Tensor slice(std::size_t begin, std::size_t n) const
    {
        Tensor v(*this);
        v.offset_ = offset_ + begin;
        v.count_ = n;
        return v;
    }

    void used_on(cudaStream_t s)
    {
        auto& seen = storage_->visitors;
        if (std::find(seen.begin(), seen.end(), s) == seen.end()) seen.push_back(s);
    }

    float* data() const { return storage_->block->ptr + offset_; }
    std::size_t size() const { return count_; }

private:
    Tensor() = default;

    std::shared_ptr<Storage> storage_;
    std::size_t offset_ = 0, count_ = 0;
};

} // namespace nimbus
