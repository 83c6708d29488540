#pragma once
#include "gpu.h"
#include <vector>

namespace infer {

struct Params {
    float scale[64];
    float bias[64];
};

// Page-locked parameter blocks, allocated once and lent out.
class ParamPool {
public:
    class Lease {
    public:
        Lease(ParamPool* pool, Params* block) : pool_(pool), block_(block) {}
        Lease(Lease&& o) noexcept : pool_(o.pool_), block_(std::exchange(o.block_, nullptr)) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (block_) pool_->giveBack(block_);
        }
        Params* operator->() const { return block_; }
        const Params* get() const { return block_; }

    private:
        ParamPool* pool_;
        Params* block_;
    };

    explicit ParamPool(int blocks) {
        must(cudaMallocHost(reinterpret_cast<void**>(&slab_), blocks * sizeof(Params)));
        for (int i = blocks - 1; i >= 0; --i) idle_.push_back(slab_ + i);
    }
    ~ParamPool() { cudaFreeHost(slab_); }
    ParamPool(const ParamPool&) = delete;
    ParamPool& operator=(const ParamPool&) = delete;

    Lease borrow() {
        Params* p = idle_.back();
        idle_.pop_back();
        return Lease(this, p);
    }

private:
    void giveBack(Params* p) { idle_.push_back(p); }
    Params* slab_ = nullptr;
    std::vector<Params*> idle_;
};

}  // namespace infer
