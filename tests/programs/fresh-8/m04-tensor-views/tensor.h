#pragma once
#include "block_cache.h"
#include <algorithm>
#include <memory>

namespace nimbus {

// A handle on (part of) a cached block.  Handles copy cheaply; the block goes
// back to the cache when the last handle is gone.
class Tensor {
public:
    static Tensor empty(std::size_t n, cudaStream_t home)
    {
        Tensor t;
        t.block_.reset(BlockCache::get().take(n, home), [](Block*) {});
        t.count_ = n;
        return t;
    }

    Tensor(const Tensor&) = default;
    Tensor(Tensor&&) = default;
    Tensor& operator=(const Tensor&) = delete;

    ~Tensor()
    {
        if (block_ && block_.use_count() == 1) BlockCache::get().give(block_.get(), visitors_);
    }

    Tensor slice(std::size_t begin, std::size_t n) const
    {
        Tensor v(*this);
        v.offset_ = offset_ + begin;
        v.count_ = n;
        return v;
    }

    void used_on(cudaStream_t s)
    {
        if (std::find(visitors_.begin(), visitors_.end(), s) == visitors_.end())
            visitors_.push_back(s);
    }

    float* data() const { return block_->ptr + offset_; }
    std::size_t size() const { return count_; }

private:
    Tensor() = default;

    std::shared_ptr<Block> block_;
    std::vector<cudaStream_t> visitors_;
    std::size_t offset_ = 0, count_ = 0;
};

} // namespace nimbus
