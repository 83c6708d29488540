#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>
#include <cuda_runtime.h>

#define CUDA_OK(call)                                                  \
    do {                                                               \
        if (cudaError_t e_ = (call); e_ != cudaSuccess) {              \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));           \
            std::fflush(stdout);                                       \
            std::_Exit(1);                                             \
        }                                                              \
    } while (0)

// Recycles page-locked blocks of one size. A block comes back when its last owner drops it.
class PinnedPool : public std::enable_shared_from_this<PinnedPool> {
public:
    using Block = std::shared_ptr<uint8_t>;

    static std::shared_ptr<PinnedPool> create(size_t block_bytes) {
        return std::shared_ptr<PinnedPool>(new PinnedPool(block_bytes));
    }
    ~PinnedPool() {
        for (uint8_t* p : all_) cudaFreeHost(p);
    }

    Block lease() {
        uint8_t* raw = nullptr;
        {
            std::lock_guard<std::mutex> g(m_);
            if (!free_.empty()) {
                raw = free_.back();
                free_.pop_back();
            }
        }
        if (!raw) {
            CUDA_OK(cudaMallocHost(&raw, bytes_));
            std::lock_guard<std::mutex> g(m_);
            all_.push_back(raw);
        }
        return Block(raw, [self = shared_from_this()](uint8_t* p) { self->give_back(p); });
    }

    size_t blocks() const { return all_.size(); }
    size_t block_bytes() const { return bytes_; }

private:
    explicit PinnedPool(size_t b) : bytes_(b) {}
    void give_back(uint8_t* p) {
        std::lock_guard<std::mutex> g(m_);
        free_.push_back(p);
    }

    const size_t bytes_;
    std::mutex m_;
    std::vector<uint8_t*> free_, all_;
};
