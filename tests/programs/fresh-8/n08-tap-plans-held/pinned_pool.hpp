#ifndef TAPS_PINNED_POOL_HPP
#define TAPS_PINNED_POOL_HPP

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace taps {

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

/// Blocks of page-locked memory of one size, leased and given back.
class PinnedPool {
public:
    class Lease {
    public:
        Lease(PinnedPool* pool, void* p) : pool_(pool), p_(p) {}
        Lease(Lease&& o) noexcept : pool_(o.pool_), p_(o.p_) { o.p_ = nullptr; }
        Lease& operator=(Lease&&) = delete;
        ~Lease() { if (p_) pool_->idle_.push_back(p_); }
        template <class T> T* as() const { return static_cast<T*>(p_); }
    private:
        PinnedPool* pool_;
        void* p_;
    };

    PinnedPool(std::size_t blocks, std::size_t bytes) {
        for (std::size_t i = 0; i < blocks; ++i) {
            void* p = nullptr;
            check(cudaMallocHost(&p, bytes));
            all_.push_back(p);
        }
        idle_ = all_;
    }
    ~PinnedPool() { for (void* p : all_) cudaFreeHost(p); }
    PinnedPool(const PinnedPool&) = delete;

    Lease lease() {
        if (idle_.empty()) throw std::runtime_error("out of pinned blocks");
        void* p = idle_.back();
        idle_.pop_back();
        return Lease(this, p);
    }

private:
    std::vector<void*> all_, idle_;
};

}  // namespace taps
#endif
