#pragma once
#include <utility>
#include <vector>
#include "asr.h"

namespace asr {

// Device scratch of one session.  Blocks are handed out in the order of the
// session's stream; up to `limit` bytes are kept for the next chunk.
class ScratchCache {
public:
    explicit ScratchCache(std::size_t limit) : limit_(limit) {}
    ~ScratchCache()
    {
        for (const Block& b : idle_) cudaFree(b.data);
    }
    ScratchCache(const ScratchCache&) = delete;
    ScratchCache& operator=(const ScratchCache&) = delete;

    struct Block {
        void* data = nullptr;
        std::size_t bytes = 0;
    };

    class Lease {
    public:
        Lease(ScratchCache& owner, Block block) : owner_(&owner), block_(block) {}
        Lease(Lease&& other) noexcept
            : owner_(std::exchange(other.owner_, nullptr)), block_(other.block_)
        {
        }
        ~Lease()
        {
            if (owner_) owner_->put(block_);
        }
        template <class T>
        T* as() const
        {
            return static_cast<T*>(block_.data);
        }

    private:
        ScratchCache* owner_;
        Block block_;
    };

    Lease take(std::size_t bytes)
    {
        for (auto it = idle_.begin(); it != idle_.end(); ++it) {
            if (it->bytes < bytes) continue;
            Block found = *it;
            idle_.erase(it);
            kept_ -= found.bytes;
            return Lease(*this, found);
        }
        Block fresh{nullptr, bytes};
        ensure(cudaMalloc(&fresh.data, bytes));
        return Lease(*this, fresh);
    }

private:
    void put(Block block)
    {
        if (kept_ + block.bytes > limit_) {
            cudaFree(block.data);
            return;
        }
        kept_ += block.bytes;
        idle_.push_back(block);
    }

    std::size_t limit_;
    std::size_t kept_ = 0;
    std::vector<Block> idle_;
};

}  // namespace asr
