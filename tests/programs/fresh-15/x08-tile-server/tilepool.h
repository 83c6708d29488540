#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tiles {

struct ServiceError {
    cudaError_t code;
};

inline void ensure(cudaError_t code) {
    if (code != cudaSuccess) throw ServiceError{code};
}

// Page-locked tiles, lent out as shared pointers that find their way home by themselves.
class TilePool : public std::enable_shared_from_this<TilePool> {
public:
    using Lease = std::shared_ptr<uint8_t>;

    static std::shared_ptr<TilePool> create(size_t count, size_t tileBytes) {
        auto pool = std::shared_ptr<TilePool>(new TilePool);
        for (size_t i = 0; i < count; ++i) {
            void* p = nullptr;
            ensure(cudaMallocHost(&p, tileBytes));
            pool->all_.push_back(static_cast<uint8_t*>(p));
        }
        pool->free_ = pool->all_;
        return pool;
    }
    ~TilePool() {
        for (auto* p : all_) cudaFreeHost(p);
    }

    Lease borrow() {
        std::unique_lock<std::mutex> lk(mutex_);
        returned_.wait(lk, [this] { return !free_.empty(); });
        uint8_t* p = free_.back();
        free_.pop_back();
        std::weak_ptr<TilePool> home = weak_from_this();
        return Lease(p, [home](uint8_t* tile) {
            if (auto pool = home.lock()) pool->giveBack(tile);
        });
    }

private:
    TilePool() = default;
    void giveBack(uint8_t* tile) {
        {
            std::lock_guard<std::mutex> lk(mutex_);
            free_.push_back(tile);
        }
        returned_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<uint8_t*> all_;
    std::vector<uint8_t*> free_;
};

}  // namespace tiles
