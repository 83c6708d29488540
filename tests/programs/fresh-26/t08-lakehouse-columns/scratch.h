#pragma once
// Temporary device memory of query operators.
#include "device.h"
#include <cstddef>
#include <map>
#include <utility>

namespace etl {

// Blocks go back to the lane that used them and are handed out again there.
class ScratchPool {
public:
    ScratchPool() = default;
    ScratchPool(const ScratchPool&) = delete;
    ScratchPool& operator=(const ScratchPool&) = delete;
    ~ScratchPool() {
        for (auto& shelf : shelves_) cudaFree(shelf.second);
    }
    void* take(std::size_t bytes, int lane) {
        auto it = shelves_.find({lane, bytes});
        if (it != shelves_.end()) {
            void* p = it->second;
            shelves_.erase(it);
            return p;
        }
        void* p = nullptr;
        ETL_OK(cudaMalloc(&p, bytes));
        return p;
    }
    void give(void* p, std::size_t bytes, int lane) { shelves_.emplace(std::make_pair(lane, bytes), p); }

private:
    std::multimap<std::pair<int, std::size_t>, void*> shelves_;
};

template <class T>
class Scratch {
public:
    Scratch(ScratchPool& pool, std::size_t n, int lane)
        : pool_(&pool), bytes_(n * sizeof(T)), lane_(lane), data_(static_cast<T*>(pool.take(bytes_, lane))) {}
    Scratch(Scratch&& o) noexcept
        : pool_(o.pool_), bytes_(o.bytes_), lane_(o.lane_), data_(std::exchange(o.data_, nullptr)) {}
    Scratch& operator=(Scratch&&) = delete;
    ~Scratch() {
        if (data_) pool_->give(data_, bytes_, lane_);
    }
    T* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

private:
    ScratchPool* pool_;
    std::size_t bytes_;
    int lane_;
    T* data_;
};

}  // namespace etl
