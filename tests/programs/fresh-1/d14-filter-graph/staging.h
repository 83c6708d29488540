#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

inline void Q(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

// Pinned blocks for small uploads. A lease gives its block back when it goes out of scope.
class StagingPool {
public:
    StagingPool(int count, size_t floats) {
        for (int i = 0; i < count; ++i) {
            float* p = nullptr;
            Q(cudaMallocHost(&p, floats * sizeof(float)));
            owned_.push_back(p);
            idle_.push_back(p);
        }
    }
    ~StagingPool() {
        for (float* p : owned_) cudaFreeHost(p);
    }
    StagingPool(const StagingPool&) = delete;

    class Lease {
    public:
        Lease(StagingPool& pool, float* p) : pool_(&pool), p_(p) {}
        Lease(Lease&& o) noexcept : pool_(o.pool_), p_(std::exchange(o.p_, nullptr)) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (p_) pool_->idle_.push_back(p_);
        }
        float* get() const { return p_; }
        float& operator[](size_t i) const { return p_[i]; }

    private:
        StagingPool* pool_;
        float* p_;
    };

    Lease lease() {
        if (idle_.empty()) {
            std::puts("ERROR StagingExhausted");
            std::exit(1);
        }
        float* p = idle_.back();
        idle_.pop_back();
        return Lease(*this, p);
    }

private:
    std::vector<float*> owned_, idle_;
};
