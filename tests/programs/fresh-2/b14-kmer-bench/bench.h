#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace bench {

inline void guard(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

class Workload {
public:
    virtual ~Workload() = default;
    virtual std::string name() const = 0;
    virtual cudaStream_t stream() const = 0;
    virtual void enqueue() = 0;
    void settle() const { guard(cudaStreamSynchronize(stream())); }
};

class Stopwatch {
public:
    explicit Stopwatch(cudaStream_t s) : s_(s) {
        guard(cudaEventCreate(&a_));
        guard(cudaEventCreate(&b_));
    }
    ~Stopwatch() {
        cudaEventDestroy(a_);
        cudaEventDestroy(b_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void start() { guard(cudaEventRecord(a_, s_)); }
    double stopMs() {
        guard(cudaEventRecord(b_, s_));
        guard(cudaEventSynchronize(b_));
        float ms = 0.0f;
        guard(cudaEventElapsedTime(&ms, a_, b_));
        return ms;
    }

private:
    cudaStream_t s_;
    cudaEvent_t a_{}, b_{};
};

struct Options {
    int warmups = 2;
    int repeats = 10;
};

class Harness {
public:
    explicit Harness(Options o) : opt_(o) { guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Harness() { cudaStreamDestroy(stream_); }
    Harness(const Harness&) = delete;
    Harness& operator=(const Harness&) = delete;

    // Milliseconds per repetition in the steady state.
    double measure(Workload& w);
    const Options& options() const { return opt_; }

private:
    Options opt_;
    cudaStream_t stream_{};
};

}  // namespace bench
