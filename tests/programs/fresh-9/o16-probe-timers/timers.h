#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench {

inline void okay(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

// Device time between two points of a stream.
class EventTimer {
public:
    explicit EventTimer(cudaStream_t s) : stream_(s) {
        okay(cudaEventCreate(&begin_));
        okay(cudaEventCreate(&end_));
    }
    ~EventTimer() {
        cudaEventDestroy(end_);
        cudaEventDestroy(begin_);
    }
    EventTimer(const EventTimer&) = delete;
    void start() { okay(cudaEventRecord(begin_, stream_)); }
    void stop() { okay(cudaEventRecord(end_, stream_)); }
    double ms() const {
        float v = 0;
        okay(cudaEventSynchronize(end_));
        okay(cudaEventElapsedTime(&v, begin_, end_));
        return v;
    }

private:
    cudaStream_t stream_;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

// Wall time as a client sees it that polls for completion.
class PollingTimer {
    using Clock = std::chrono::steady_clock;

public:
    explicit PollingTimer(cudaStream_t s) : stream_(s) {
        okay(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
    }
    ~PollingTimer() { cudaEventDestroy(done_); }
    PollingTimer(const PollingTimer&) = delete;
    void start() { t0_ = Clock::now(); }
    void stop() {
        okay(cudaEventRecord(done_, stream_));
        cudaError_t e;
        while ((e = cudaEventQuery(done_)) == cudaErrorNotReady) {
        }
        okay(e);
        t1_ = Clock::now();
    }
    double ms() const { return std::chrono::duration<double, std::milli>(t1_ - t0_).count(); }

private:
    cudaStream_t stream_;
    cudaEvent_t done_ = nullptr;
    Clock::time_point t0_, t1_;
};

}  // namespace bench
