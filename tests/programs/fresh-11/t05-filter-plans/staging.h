#pragma once
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

#define GPU(expr)                                                  \
    do {                                                           \
        if (cudaError_t e_ = (expr); e_ != cudaSuccess) {          \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));       \
            std::fflush(stdout);                                   \
            std::_Exit(1);                                         \
        }                                                          \
    } while (0)

// Page-locked slots of one size, lent out for uploads.
class StagingPool {
public:
    class Lease {
    public:
        Lease(StagingPool* pool, float* slot) : pool_(pool), slot_(slot) {}
        Lease(Lease&& o) noexcept : pool_(std::exchange(o.pool_, nullptr)), slot_(std::exchange(o.slot_, nullptr)) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease()
        {
            if (pool_) pool_->free_.push_back(slot_);
        }
        float* data() const { return slot_; }

    private:
        StagingPool* pool_;
        float* slot_;
    };

    StagingPool(std::size_t slots, std::size_t floats_per_slot)
    {
        for (std::size_t i = 0; i < slots; ++i) {
            float* p = nullptr;
            GPU(cudaMallocHost(&p, floats_per_slot * sizeof(float)));
            all_.push_back(p);
        }
        free_ = all_;
    }
    ~StagingPool()
    {
        for (float* p : all_) cudaFreeHost(p);
    }
    StagingPool(const StagingPool&) = delete;
    StagingPool& operator=(const StagingPool&) = delete;

    Lease acquire()
    {
        if (free_.empty()) {
            std::printf("ERROR staging\n");
            std::exit(1);
        }
        float* slot = free_.back();
        free_.pop_back();
        return Lease(this, slot);
    }

private:
    std::vector<float*> all_, free_;
};
