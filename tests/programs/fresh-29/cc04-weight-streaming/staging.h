#pragma once
#include <algorithm>

#include "runtime.h"

namespace rt {

// Weights live in ordinary memory (the mapped checkpoint) and go to the
// device through this page-locked window.
class Staging {
public:
    explicit Staging(std::size_t floats) : capacity_(floats), window_(pinned_vec(floats))
    {
        check(cudaEventCreateWithFlags(&drained_, cudaEventDisableTiming));
    }
    ~Staging() { cudaEventDestroy(drained_); }
    Staging(const Staging &) = delete;
    Staging &operator=(const Staging &) = delete;

    // A pass over the model goes between begin() and end().
    void begin(cudaStream_t s)
    {
        if (eager(s)) check(cudaEventSynchronize(drained_));
        used_ = 0;
    }

    void upload(cudaStream_t s, float *dst, const float *src, std::size_t n)
    {
        if (used_ + n > capacity_) check(cudaErrorMemoryAllocation);
        float *page = window_.get() + used_;
        used_ += n;
        std::copy_n(src, n, page);
        check(cudaMemcpyAsync(dst, page, n * sizeof(float), cudaMemcpyHostToDevice, s));
    }

    void end(cudaStream_t s)
    {
        if (eager(s)) check(cudaEventRecord(drained_, s));
    }

private:
    static bool eager(cudaStream_t s)
    {
        cudaStreamCaptureStatus state;
        check(cudaStreamIsCapturing(s, &state));
        return state == cudaStreamCaptureStatusNone;
    }

    std::size_t capacity_, used_ = 0;
    PinnedVec window_;
    cudaEvent_t drained_{};
};

} // namespace rt
