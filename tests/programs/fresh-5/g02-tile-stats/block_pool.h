// Size-bucketed pool of device blocks.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace mosaic {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

struct PoolOptions {
    std::size_t keep_bytes = std::size_t(2) << 20;  // idle memory held back for the next request
};

class BlockPool {
public:
    explicit BlockPool(PoolOptions opt) : opt_(opt) {}
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    ~BlockPool() {
        for (auto& bucket : idle_)
            for (void* p : bucket.second) cudaFree(p);
        for (auto& live : live_) cudaFree(live.first);
        for (void* p : retired_) cudaFree(p);
    }

    void reserve(std::size_t bytes, int count) {
        for (int i = 0; i < count; ++i) {
            void* p = nullptr;
            check(cudaMalloc(&p, bytes));
            idle_[bytes].push_back(p);
            idle_bytes_ += bytes;
        }
    }

    void* acquire(std::size_t bytes) {
        auto it = idle_.lower_bound(bytes);
        while (it != idle_.end() && it->second.empty()) ++it;
        void* p = nullptr;
        if (it != idle_.end()) {
            p = it->second.back();
            it->second.pop_back();
            idle_bytes_ -= it->first;
            bytes = it->first;
        } else {
            check(cudaMalloc(&p, bytes));
        }
        live_[p] = bytes;
        return p;
    }

    void release(void* p) {
        auto it = live_.find(p);
        if (it == live_.end()) return;
        const std::size_t bytes = it->second;
        live_.erase(it);
        if (idle_bytes_ + bytes > opt_.keep_bytes) {
            retired_.push_back(p);
            ++trimmed_;
            return;
        }
        idle_[bytes].push_back(p);
        idle_bytes_ += bytes;
    }

    // Hands retired blocks back to the driver.
    void purge() {
        for (void* p : retired_) check(cudaFree(p));
        retired_.clear();
    }

    int trimmed() const { return trimmed_; }

private:
    PoolOptions opt_;
    std::map<std::size_t, std::vector<void*>> idle_;
    std::unordered_map<void*, std::size_t> live_;
    std::vector<void*> retired_;
    std::size_t idle_bytes_ = 0;
    int trimmed_ = 0;
};

}  // namespace mosaic
