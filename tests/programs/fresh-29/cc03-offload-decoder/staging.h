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

    void upload(cudaStream_t s, float *dst, const float *src, std::size_t n)
    {
        cudaStreamCaptureStatus state;
        check(cudaStreamIsCapturing(s, &state));
        const bool eager = state == cudaStreamCaptureStatusNone;

        if (eager) check(cudaEventSynchronize(drained_));
        n = std::min(n, capacity_);
        std::copy_n(src, n, window_.get());
        check(cudaMemcpyAsync(dst, window_.get(), n * sizeof(float), cudaMemcpyHostToDevice, s));
        if (eager) check(cudaEventRecord(drained_, s));
    }

private:
    std::size_t capacity_;
    PinnedVec window_;
    cudaEvent_t drained_{};
};

} // namespace rt
