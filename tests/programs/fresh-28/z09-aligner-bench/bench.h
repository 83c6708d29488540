#pragma once
#include <functional>
#include "aligner.h"

namespace genome {

struct BenchResult {
    float milliseconds;
    double gcups;  // giga cell updates per second
};

// Device time of a piece of work.
class DeviceTimer {
public:
    DeviceTimer()
    {
        GX_TRY(cudaEventCreate(&begin_));
        GX_TRY(cudaEventCreate(&end_));
    }
    ~DeviceTimer()
    {
        cudaEventDestroy(end_);
        cudaEventDestroy(begin_);
    }
    float measure(cudaStream_t stream, const std::function<void()>& work)
    {
        GX_TRY(cudaEventRecord(begin_, stream));
        work();
        GX_TRY(cudaEventRecord(end_, stream));
        GX_TRY(cudaEventSynchronize(end_));
        float ms = 0.f;
        GX_TRY(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

BenchResult runBench(Aligner& aligner, int warmups);
double auditMilliseconds(Aligner& aligner);

}  // namespace genome
