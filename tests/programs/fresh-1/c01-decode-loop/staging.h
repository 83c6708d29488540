#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "check.h"

// Fixed-size page-locked blocks handed out as movable leases.
class StagingPool {
public:
    class Lease {
    public:
        Lease(StagingPool* pool, void* block) : pool_(pool), block_(block) {}
        Lease(Lease&& o) noexcept : pool_(std::exchange(o.pool_, nullptr)), block_(o.block_) {}
        Lease& operator=(Lease&&) = delete;
        Lease(const Lease&) = delete;
        ~Lease() {
            if (pool_) pool_->idle_.push_back(block_);
        }
        template <class T>
        T* as() const {
            return static_cast<T*>(block_);
        }

    private:
        StagingPool* pool_;
        void* block_;
    };

    explicit StagingPool(std::size_t bytes) : bytes_(bytes) {}
    ~StagingPool() {
        for (void* p : all_) cudaFreeHost(p);
    }

    Lease take() {
        if (idle_.empty()) {
            void* p = nullptr;
            CU(cudaHostAlloc(&p, bytes_, cudaHostAllocDefault));
            all_.push_back(p);
            idle_.push_back(p);
        }
        void* p = idle_.back();
        idle_.pop_back();
        return Lease(this, p);
    }

    void reserve(int n) {
        for (int i = 0; i < n; ++i) {
            void* p = nullptr;
            CU(cudaHostAlloc(&p, bytes_, cudaHostAllocDefault));
            all_.push_back(p);
            idle_.push_back(p);
        }
    }

private:
    std::size_t bytes_;
    std::vector<void*> all_, idle_;
};
