#pragma once
#include "cuda_guard.h"

namespace vis {

// Device side stopwatch for the work of one stream.
class GpuTimer {
public:
    explicit GpuTimer(cudaStream_t stream) : stream_(stream)
    {
        guard(cudaEventCreate(&begin_));
        guard(cudaEventCreate(&end_));
    }
    ~GpuTimer()
    {
        cudaEventDestroy(end_);
        cudaEventDestroy(begin_);
    }
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

    void start() { guard(cudaEventRecord(begin_, stream_)); }
    void stop() { guard(cudaEventRecord(end_, stream_)); }

    double milliseconds() const
    {
        float ms = 0.f;
        guard(cudaEventSynchronize(end_));
        guard(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaStream_t stream_;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace vis
