#pragma once
// Temporary device memory of query operators.
#include "device.h"
#include <cstddef>
#include <utility>

namespace etl {

class ScratchPool {
public:
    void* take(std::size_t bytes, int lane) {
        (void)lane;
        void* p = nullptr;
        ETL_OK(cudaMalloc(&p, bytes));
        return p;
    }
    void give(void* p, std::size_t bytes, int lane) {
        (void)bytes;
        (void)lane;
        ETL_OK(cudaFree(p));
    }
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
