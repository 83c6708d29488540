#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

namespace sweep {

inline void chk(cudaError_t rc)
{
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Team {
    explicit Team(int size) : members(size)
    {
        for (auto& s : members) chk(cudaStreamCreate(&s));
    }
    ~Team()
    {
        for (auto& s : members) cudaStreamDestroy(s);
    }
    Team(const Team&) = delete;
    std::vector<cudaStream_t> members;
};

// Policy: time as the device sees it.
struct DeviceClock {
    DeviceClock()
    {
        chk(cudaEventCreate(&a));
        chk(cudaEventCreate(&b));
    }
    ~DeviceClock()
    {
        cudaEventDestroy(a);
        cudaEventDestroy(b);
    }
    void start() { chk(cudaEventRecord(a)); }
    double stop()
    {
        chk(cudaEventRecord(b));
        chk(cudaEventSynchronize(b));
        float ms = 0;
        chk(cudaEventElapsedTime(&ms, a, b));
        return ms;
    }
    cudaEvent_t a{}, b{};
};

template <class ClockPolicy>
class Bench : private ClockPolicy {
public:
    Bench(int warmup, int repeats) : warmup_(warmup), repeats_(repeats) {}

    template <class F>
    double mean_ms(F&& body)
    {
        for (int i = 0; i < warmup_; ++i) body();
        ClockPolicy::start();
        for (int i = 0; i < repeats_; ++i) body();
        return ClockPolicy::stop() / repeats_;
    }

private:
    int warmup_, repeats_;
};

}  // namespace sweep
