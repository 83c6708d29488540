#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(x)                                                              \
    do {                                                                      \
        if (cudaError_t e_ = (x); e_ != cudaSuccess) {                        \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));                  \
            std::exit(1);                                                     \
        }                                                                     \
    } while (0)

class GpuTimer {
public:
    explicit GpuTimer(cudaStream_t stream = nullptr) : stream_(stream) {
        CHECK(cudaEventCreate(&begin_));
        CHECK(cudaEventCreate(&end_));
    }
    ~GpuTimer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

    void start() { CHECK(cudaEventRecord(begin_, stream_)); }
    void stop() { CHECK(cudaEventRecord(end_, stream_)); }
    float milliseconds() const {
        float ms = 0.f;
        CHECK(cudaEventSynchronize(end_));
        CHECK(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaStream_t stream_;
    cudaEvent_t begin_{}, end_{};
};
