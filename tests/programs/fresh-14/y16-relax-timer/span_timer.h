#pragma once

#include <cuda_runtime.h>

#include <initializer_list>
#include <vector>

namespace relax {

void check(cudaError_t e);

// Device time from the moment a group of streams is free to go until the last
// of them is through. The marks live on a stream of the timer's own.
class SpanTimer {
public:
    SpanTimer() {
        check(cudaStreamCreateWithFlags(&clock_, cudaStreamNonBlocking));
        check(cudaEventCreate(&begin_));
        check(cudaEventCreate(&end_));
        check(cudaEventCreateWithFlags(&gate_, cudaEventDisableTiming));
    }
    ~SpanTimer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
        cudaEventDestroy(gate_);
        cudaStreamDestroy(clock_);
    }
    SpanTimer(const SpanTimer&) = delete;

    void open(const std::vector<cudaStream_t>& streams) {
        gather(streams);
        check(cudaEventRecord(begin_, clock_));
        for (cudaStream_t s : streams) check(cudaStreamWaitEvent(s, begin_, 0));
    }

    void close(const std::vector<cudaStream_t>& streams) {
        gather(streams);
        check(cudaEventRecord(end_, clock_));
    }

    float milliseconds() const {
        float ms = 0.0f;
        check(cudaEventSynchronize(end_));
        check(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    void gather(const std::vector<cudaStream_t>& streams) {
        for (cudaStream_t s : streams) {
            check(cudaEventRecord(gate_, s));
            check(cudaStreamWaitEvent(clock_, gate_, 0));
        }
    }

    cudaStream_t clock_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr, gate_ = nullptr;
};

}  // namespace relax
