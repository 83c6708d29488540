#pragma once
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define GPU(expr)                                              \
    do {                                                       \
        cudaError_t err__ = (expr);                            \
        if (err__ != cudaSuccess) {                            \
            std::printf("ERROR %s\n", cudaGetErrorName(err__)); \
            std::exit(1);                                      \
        }                                                      \
    } while (0)

namespace timing {

// Milliseconds between construction and destruction.
class ScopedTimer {
public:
    explicit ScopedTimer(double& ms) : ms_(ms), start_(Clock::now()) {}
    ~ScopedTimer()
    {
        ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    double& ms_;
    Clock::time_point start_;
};

// Leaves a stream empty on entry and on exit of a scope.
class StreamDrain {
public:
    explicit StreamDrain(cudaStream_t s) : stream_(s) { GPU(cudaStreamSynchronize(stream_)); }
    ~StreamDrain() { GPU(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_;
};

// One sample of a benchmark.
class TimedRegion {
public:
    TimedRegion(cudaStream_t s, double& ms) : drain_(s), timer_(ms) {}

private:
    StreamDrain drain_;
    ScopedTimer timer_;
};

inline double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

}  // namespace timing
