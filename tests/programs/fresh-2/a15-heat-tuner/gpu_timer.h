#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace tune {

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

class GpuTimer {
public:
    explicit GpuTimer(cudaStream_t stream = nullptr) : stream_(stream) {
        ok(cudaEventCreate(&begin_));
        ok(cudaEventCreate(&end_));
    }
    ~GpuTimer() {
        ok(cudaEventDestroy(begin_));
        ok(cudaEventDestroy(end_));
    }
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

    void start() { ok(cudaEventRecord(begin_, stream_)); }
    float stop() {
        ok(cudaEventRecord(end_, stream_));
        ok(cudaEventSynchronize(end_));
        float ms = 0.f;
        ok(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaStream_t stream_;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace tune
