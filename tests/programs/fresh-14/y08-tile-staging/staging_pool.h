#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tiles {

void throwOn(cudaError_t e);

using Lease = std::shared_ptr<std::uint16_t>;

// A few pinned blocks, handed out as leases; a block is idle again when the
// last copy of its lease is gone.
class StagingPool {
public:
    StagingPool(int blocks, std::size_t pixels) {
        for (int i = 0; i < blocks; ++i) {
            std::uint16_t* p = nullptr;
            throwOn(cudaMallocHost(&p, pixels * sizeof(std::uint16_t)));
            all_.push_back(p);
            idle_.push_back(p);
        }
    }
    ~StagingPool() {
        for (auto* p : all_) cudaFreeHost(p);
    }
    StagingPool(const StagingPool&) = delete;

    Lease lease() {
        std::unique_lock<std::mutex> lock(mutex_);
        returned_.wait(lock, [this] { return !idle_.empty(); });
        std::uint16_t* p = idle_.back();
        idle_.pop_back();
        return Lease(p, [this](std::uint16_t* q) { giveBack(q); });
    }

private:
    void giveBack(std::uint16_t* p) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            idle_.push_back(p);
        }
        returned_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<std::uint16_t*> all_, idle_;
};

}  // namespace tiles
