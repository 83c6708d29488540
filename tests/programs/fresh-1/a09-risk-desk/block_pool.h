#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace desk {

class CudaFault : public std::runtime_error {
public:
    explicit CudaFault(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void expect(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFault(e);
}

// Fixed set of pinned blocks shared by all pricing workers.
class BlockPool {
public:
    class Lease {
    public:
        Lease(BlockPool* pool, float* block) : pool_(pool), block_(block) {}
        Lease(Lease&& o) noexcept : pool_(std::exchange(o.pool_, nullptr)), block_(o.block_) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Lease& operator=(Lease&&) = delete;
        ~Lease() { if (pool_) pool_->giveBack(block_); }
        float* data() const { return block_; }
    private:
        BlockPool* pool_;
        float* block_;
    };

    BlockPool(std::size_t blocks, std::size_t floats) {
        for (std::size_t i = 0; i < blocks; ++i) {
            float* p = nullptr;
            expect(cudaMallocHost(&p, floats * sizeof(float)));
            storage_.emplace_back(p);
            free_.push_back(p);
        }
    }

    Lease borrow() {
        std::unique_lock<std::mutex> lock(m_);
        available_.wait(lock, [this] { return !free_.empty(); });
        float* p = free_.back();
        free_.pop_back();
        return Lease(this, p);
    }

private:
    void giveBack(float* p) {
        std::lock_guard<std::mutex> lock(m_);
        free_.push_back(p);
        available_.notify_one();
    }

    struct Unpin {
        void operator()(float* p) const { cudaFreeHost(p); }
    };
    std::vector<std::unique_ptr<float, Unpin>> storage_;
    std::vector<float*> free_;
    std::mutex m_;
    std::condition_variable available_;
};

}  // namespace desk
