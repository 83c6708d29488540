#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace bench {

inline void check(cudaError_t rc)
{
    if (rc != cudaSuccess) throw std::runtime_error(cudaGetErrorName(rc));
}

struct Settings {
    int warmup = 2;
    int iterations = 12;
    std::map<std::string, double> stage_ms{{"gather", 2.0}, {"relax", 8.0}, {"scatter", 3.0}};
};

class Lane {
public:
    using Work = std::function<void(cudaStream_t)>;

    explicit Lane(Work work) : work_(std::move(work))
    {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
    }
    ~Lane()
    {
        cudaEventDestroy(done_);
        cudaStreamDestroy(stream_);
    }
    Lane(const Lane&) = delete;

    void run() { work_(stream_); }
    void mark() { check(cudaEventRecord(done_, stream_)); }
    void after(const Lane& other) { check(cudaStreamWaitEvent(stream_, other.done_, 0)); }
    cudaStream_t stream() const { return stream_; }

private:
    Work work_;
    cudaStream_t stream_{};
    cudaEvent_t done_{};
};

using Lanes = std::map<std::string, std::unique_ptr<Lane>>;

class Stopwatch {
public:
    Stopwatch()
    {
        check(cudaEventCreate(&from_));
        check(cudaEventCreate(&to_));
    }
    ~Stopwatch()
    {
        cudaEventDestroy(from_);
        cudaEventDestroy(to_);
    }
    void start(cudaStream_t s) { check(cudaEventRecord(from_, s)); }
    double stop(cudaStream_t s)
    {
        check(cudaEventRecord(to_, s));
        check(cudaEventSynchronize(to_));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, from_, to_));
        return ms;
    }

private:
    cudaEvent_t from_{}, to_{};
};

// Milliseconds for one sweep over all lanes, averaged over the iterations.
double sweep_ms(const Settings& settings, Lanes& lanes);

template <class F>
double wall_ms(F&& f)
{
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace bench
