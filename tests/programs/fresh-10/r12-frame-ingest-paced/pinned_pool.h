#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <utility>

namespace ingest {

class PinnedPool {
    struct Block {
        void* ptr = nullptr;
        std::size_t bytes = 0;
        cudaEvent_t drained = nullptr;
    };

public:
    class Lease {
    public:
        Lease() = default;
        Lease(PinnedPool* pool, Block block) : pool_(pool), block_(block) {}
        Lease(Lease&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), block_(other.block_) {}
        Lease& operator=(Lease&& other) noexcept {
            std::swap(pool_, other.pool_);
            std::swap(block_, other.block_);
            return *this;
        }
        ~Lease() {
            if (pool_) pool_->put(block_);
        }

        template <class T>
        T* as() const {
            return static_cast<T*>(block_.ptr);
        }
        explicit operator bool() const { return block_.ptr != nullptr; }
        cudaError_t usedBy(cudaStream_t stream) { return cudaEventRecord(block_.drained, stream); }

    private:
        PinnedPool* pool_ = nullptr;
        Block block_;
    };

    explicit PinnedPool(std::size_t limit) : limit_(limit) {}
    ~PinnedPool();
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    cudaError_t acquire(std::size_t bytes, Lease* out);

private:
    void put(const Block& block) { idle_.push_back(block); }

    std::size_t limit_;
    std::size_t made_ = 0;
    std::deque<Block> idle_;
};

}  // namespace ingest
