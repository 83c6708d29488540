#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace colbench {

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Timing events are kept between runs.
class EventCache {
public:
    ~EventCache() {
        for (cudaEvent_t e : idle_) cudaEventDestroy(e);
    }
    cudaEvent_t get() {
        if (idle_.empty()) {
            cudaEvent_t e;
            ok(cudaEventCreate(&e));
            return e;
        }
        cudaEvent_t e = idle_.back();
        idle_.pop_back();
        return e;
    }
    void put(cudaEvent_t e) { idle_.push_back(e); }

private:
    std::vector<cudaEvent_t> idle_;
};

class GpuTimer {
public:
    explicit GpuTimer(EventCache& cache) : cache_(cache), begin_(cache.get()), end_(cache.get()) {}
    ~GpuTimer() {
        cache_.put(begin_);
        cache_.put(end_);
    }
    GpuTimer(const GpuTimer&) = delete;

    void start(cudaStream_t s) { ok(cudaEventRecord(begin_, s)); }
    void stop(cudaStream_t s) { ok(cudaEventRecord(end_, s)); }
    double milliseconds() const {
        float ms = 0;
        ok(cudaEventSynchronize(end_));
        ok(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    EventCache& cache_;
    cudaEvent_t begin_, end_;
};

}  // namespace colbench
