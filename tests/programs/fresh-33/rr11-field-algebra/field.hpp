#pragma once

#include "blockpool.hpp"

#include <utility>
#include <vector>

namespace fields {

// Operations are issued in the stream of the innermost open scope.
class StreamScope {
public:
    explicit StreamScope(cudaStream_t s) : outer_(std::exchange(current_, s)) {}
    ~StreamScope() { current_ = outer_; }
    static cudaStream_t current() { return current_; }

private:
    cudaStream_t outer_;
    inline static cudaStream_t current_ = nullptr;
};

class Field {
public:
    explicit Field(BlockPool& pool) : pool_(&pool), data_(pool.get()) {}
    Field(BlockPool& pool, const std::vector<float>& values);
    Field(Field&& o) noexcept : pool_(o.pool_), data_(std::exchange(o.data_, nullptr)) {}
    Field& operator=(Field&& o) noexcept {
        std::swap(pool_, o.pool_);
        std::swap(data_, o.data_);
        return *this;
    }
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;
    ~Field() {
        if (data_) pool_->put(data_);
    }

    std::vector<float> values() const;
    BlockPool& pool() const { return *pool_; }
    float* data() const { return data_; }
    int size() const { return static_cast<int>(pool_->floats()); }

private:
    BlockPool* pool_;
    float* data_;
};

Field operator+(const Field& a, const Field& b);
Field operator*(float s, const Field& a);
Field relax(const Field& a, int sweeps);

}  // namespace fields
