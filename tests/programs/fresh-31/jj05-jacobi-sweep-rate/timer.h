// Accumulating device timer.
#pragma once
#include "gpu.h"

namespace gpu {

class Timer {
public:
    explicit Timer(const Queue& q) : q_(q) {
        GPU_OK(cudaEventCreate(&a_));
        GPU_OK(cudaEventCreate(&b_));
    }
    ~Timer() {
        cudaEventDestroy(a_);
        cudaEventDestroy(b_);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    void start() { GPU_OK(cudaEventRecord(a_, q_.get())); }
    void stop() { GPU_OK(cudaEventRecord(b_, q_.get())); }
    void collect() {
        float ms = 0;
        GPU_OK(cudaEventSynchronize(b_));
        GPU_OK(cudaEventElapsedTime(&ms, a_, b_));
        total_ += ms;
        ++laps_;
    }
    double mean() const { return laps_ ? total_ / laps_ : 0.0; }

private:
    const Queue& q_;
    cudaEvent_t a_ = nullptr, b_ = nullptr;
    double total_ = 0;
    int laps_ = 0;
};

}  // namespace gpu
