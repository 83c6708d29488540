#pragma once
#include "ads.h"
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace ads {

// A fixed set of pinned blocks; a lease hands its block back when it goes.
class PinnedPool {
public:
    class Lease {
    public:
        Lease(PinnedPool* pool, int* block) : pool_(pool), block_(block) {}
        Lease(Lease&& other) noexcept
            : pool_(std::exchange(other.pool_, nullptr)),
              block_(std::exchange(other.block_, nullptr)) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (pool_) pool_->giveBack(block_);
        }
        int* data() const { return block_; }

    private:
        PinnedPool* pool_;
        int* block_;
    };

    PinnedPool(int blocks, std::size_t ints) {
        for (int i = 0; i < blocks; ++i) {
            void* p = nullptr;
            expect(cudaMallocHost(&p, ints * sizeof(int)));
            all_.push_back(static_cast<int*>(p));
        }
        idle_ = all_;
    }
    ~PinnedPool() {
        for (int* p : all_) cudaFreeHost(p);
    }
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    Lease acquire() {
        std::unique_lock<std::mutex> lock(mutex_);
        available_.wait(lock, [this] { return !idle_.empty(); });
        int* block = idle_.back();
        idle_.pop_back();
        return Lease(this, block);
    }

private:
    void giveBack(int* block) {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(block);
        available_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable available_;
    std::vector<int*> all_;
    std::vector<int*> idle_;
};

}  // namespace ads
