#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tune {

inline void req(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Candidate {
    std::string name;
    double model_ms;
    std::function<void(cudaStream_t)> launch;
};

struct Measurement {
    std::string name;
    double model_ms = 0;
    double cold_ms = 0;
    double steady_ms = 0;
};

// Move-only pair of timing events.
class Interval {
public:
    Interval()
    {
        req(cudaEventCreate(&open_));
        req(cudaEventCreate(&close_));
    }
    Interval(Interval&& o) noexcept
        : open_(std::exchange(o.open_, nullptr)), close_(std::exchange(o.close_, nullptr)) {}
    Interval(const Interval&) = delete;
    Interval& operator=(const Interval&) = delete;
    ~Interval()
    {
        if (open_) cudaEventDestroy(open_);
        if (close_) cudaEventDestroy(close_);
    }
    void open(cudaStream_t s) { req(cudaEventRecord(open_, s)); }
    void close(cudaStream_t s) { req(cudaEventRecord(close_, s)); }
    float ms() const
    {
        float v = 0;
        req(cudaEventSynchronize(close_));
        req(cudaEventElapsedTime(&v, open_, close_));
        return v;
    }

private:
    cudaEvent_t open_ = nullptr;
    cudaEvent_t close_ = nullptr;
};

class Tuner {
public:
    explicit Tuner(int launches_per_sample = 10, int samples = 5);
    ~Tuner();

    Tuner& add(Candidate c)
    {
        candidates_.push_back(std::move(c));
        return *this;
    }
    std::vector<Measurement> run();

private:
    Measurement measure(const Candidate& c);

    int launches_;
    int samples_;
    cudaStream_t stream_ = nullptr;
    std::vector<Candidate> candidates_;
};

}  // namespace tune
