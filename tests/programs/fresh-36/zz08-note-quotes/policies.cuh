#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

namespace desk {

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Market {
    double spot, strike, rate, vol;
};

// Random policies
struct Lattice {
    __host__ __device__ static double draw(std::uint64_t i) {
        return static_cast<double>((i * 11400714819323198485ull) >> 40) / 16777216.0 - 0.5;
    }
};

// Payoff policies; `budget` is the calibrated cost of one valuation in nanoseconds.
struct Forward {
    static constexpr int steps = 1;
    static constexpr unsigned long long budget = 4'000'000;
    __host__ __device__ static double pay(double last, double, const Market& m) { return last - m.strike; }
};

struct Digital {
    static constexpr int steps = 2;
    static constexpr unsigned long long budget = 5'000'000;
    __host__ __device__ static double pay(double last, double, const Market& m) { return last > m.strike ? 10.0 : 0.0; }
};

struct Average {
    static constexpr int steps = 16;
    static constexpr unsigned long long budget = 20'000'000;
    __host__ __device__ static double pay(double, double mean, const Market& m) { return mean > m.strike ? mean - m.strike : 0.0; }
};

template <class Payoff, class Random>
__host__ __device__ double samplePath(const Market& m, int path) {
    double s = m.spot, sum = 0.0;
    for (int k = 0; k < Payoff::steps; ++k) {
        s += s * (m.rate + m.vol * Random::draw(static_cast<std::uint64_t>(path) * 64 + k)) / Payoff::steps;
        sum += s;
    }
    return Payoff::pay(s, sum / Payoff::steps, m);
}

// Stream policy: a primary lane and helpers.
template <int N>
class Lanes {
public:
    Lanes() {
        for (int i = 0; i < N; ++i) {
            ok(cudaStreamCreateWithFlags(&lane_[i], cudaStreamNonBlocking));
            ok(cudaEventCreateWithFlags(&mark_[i], cudaEventDisableTiming));
        }
    }
    ~Lanes() {
        for (int i = 0; i < N; ++i) {
            cudaEventDestroy(mark_[i]);
            cudaStreamDestroy(lane_[i]);
        }
    }
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

    cudaStream_t primary() const { return lane_[0]; }
    cudaStream_t lane(int i) const { return lane_[i % N]; }

    void spread() {
        ok(cudaEventRecord(mark_[0], lane_[0]));
        for (int i = 1; i < N; ++i) ok(cudaStreamWaitEvent(lane_[i], mark_[0], 0));
    }
    void gather() {
        for (int i = 1; i < N; ++i) {
            ok(cudaEventRecord(mark_[i], lane_[i]));
            ok(cudaStreamWaitEvent(lane_[0], mark_[i], 0));
        }
    }

private:
    cudaStream_t lane_[N];
    cudaEvent_t mark_[N];
};

}  // namespace desk
