#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mel {

class error : public std::runtime_error {
  public:
    explicit error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) throw error(e);
}

// Page-locked blocks of one size, handed out and taken back without calls into the driver.
class StagingPool {
  public:
    class Block {
      public:
        Block() = default;
        Block(StagingPool* pool, void* p) : pool_(pool), p_(p) {}
        Block(Block&& o) noexcept : pool_(std::exchange(o.pool_, nullptr)), p_(std::exchange(o.p_, nullptr)) {}
        Block& operator=(Block&& o) noexcept {
            std::swap(pool_, o.pool_);
            std::swap(p_, o.p_);
            return *this;
        }
        ~Block() {
            if (p_) pool_->put(p_);
        }
        template <class T>
        T* as() const { return static_cast<T*>(p_); }

      private:
        StagingPool* pool_ = nullptr;
        void* p_ = nullptr;
    };

    StagingPool(std::size_t block_bytes, int count) {
        for (int i = 0; i < count; ++i) {
            void* p = nullptr;
            ok(cudaHostAlloc(&p, block_bytes, cudaHostAllocDefault));
            all_.push_back(p);
        }
        free_ = all_;
    }
    ~StagingPool() {
        for (void* p : all_) cudaFreeHost(p);
    }
    StagingPool(const StagingPool&) = delete;

    Block take() {
        std::lock_guard<std::mutex> g(m_);
        if (free_.empty()) throw std::runtime_error("staging pool exhausted");
        void* p = free_.back();
        free_.pop_back();
        return Block(this, p);
    }

  private:
    void put(void* p) {
        std::lock_guard<std::mutex> g(m_);
        free_.push_back(p);
    }
    std::mutex m_;
    std::vector<void*> all_, free_;
};

}  // namespace mel
