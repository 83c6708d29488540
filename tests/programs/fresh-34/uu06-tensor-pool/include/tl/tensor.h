#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tl/allocator.h"

namespace tl {

// Stream on which the operators of the current scope run.
class StreamGuard {
public:
    explicit StreamGuard(cudaStream_t s) : previous_(current()) { current() = s; }
    ~StreamGuard() { current() = previous_; }
    StreamGuard(const StreamGuard&) = delete;
    StreamGuard& operator=(const StreamGuard&) = delete;

    static cudaStream_t& current() {
        static thread_local cudaStream_t stream = nullptr;
        return stream;
    }

private:
    cudaStream_t previous_;
};

class Tensor {
public:
    Tensor() = default;
    static Tensor empty(std::size_t n);

    uint32_t* data() const { return static_cast<uint32_t*>(storage_->ptr); }
    std::size_t numel() const { return numel_; }
    cudaStream_t stream() const { return storage_->owner; }
    void reset() { storage_.reset(); }

    std::vector<uint32_t> to_host() const;

private:
    Tensor(std::shared_ptr<Block> s, std::size_t n) : storage_(std::move(s)), numel_(n) {}

    std::shared_ptr<Block> storage_;
    std::size_t numel_ = 0;
};

}  // namespace tl
