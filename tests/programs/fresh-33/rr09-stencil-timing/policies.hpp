#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench {

inline void ok(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct EventClock {
    cudaEvent_t a{}, b{};
    EventClock() {
        ok(cudaEventCreate(&a));
        ok(cudaEventCreate(&b));
    }
    ~EventClock() {
        cudaEventDestroy(a);
        cudaEventDestroy(b);
    }
    void start(cudaStream_t s) { ok(cudaEventRecord(a, s)); }
    void stop(cudaStream_t s) { ok(cudaEventRecord(b, s)); }
    double read() {
        float ms = 0;
        ok(cudaEventSynchronize(b));
        ok(cudaEventElapsedTime(&ms, a, b));
        return ms;
    }
};

struct WallClock {
    std::chrono::steady_clock::time_point a, b;
    void start(cudaStream_t) {
        ok(cudaDeviceSynchronize());
        a = std::chrono::steady_clock::now();
    }
    void stop(cudaStream_t) {
        ok(cudaDeviceSynchronize());
        b = std::chrono::steady_clock::now();
    }
    double read() { return std::chrono::duration<double, std::milli>(b - a).count(); }
};

template <int N>
struct WarmRuns {
    template <class Work>
    static void apply(Work& w) {
        for (int i = 0; i < N; ++i) w.issue();
        ok(cudaDeviceSynchronize());
    }
};

template <int N>
struct Repeat {
    static constexpr int count = N;
};

// Composes a workload with a clock, a warm-up and a repetition count.
template <class Work, class Clock, class Warm, class Times>
class Runner : private Clock, private Warm {
public:
    explicit Runner(Work& w) : work_(w) {}
    double milliseconds() {
        Warm::apply(work_);
        Clock::start(work_.stream());
        for (int i = 0; i < Times::count; ++i) work_.issue();
        Clock::stop(work_.stream());
        const double ms = Clock::read();
        ok(cudaDeviceSynchronize());
        return ms / Times::count;
    }

private:
    Work& work_;
};

}  // namespace bench
