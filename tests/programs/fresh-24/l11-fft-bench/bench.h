#pragma once
#include "plan.h"
#include <chrono>
#include <functional>
#include <string>

namespace bench {

struct Options {
    int warmup = 3;
    int reps = 32;
    bool drainEachRep = false;  // latency instead of throughput
};

struct Case {
    std::string name;
    std::function<void()> prepare;
    std::function<void(int rep, cudaStream_t s)> body;
};

struct Result {
    std::string name;
    double msPerRep;
};

// Steady-state time of a repetition.
inline Result measure(const Case& c, const Options& opt, cudaStream_t s)
{
    using Clock = std::chrono::steady_clock;
    if (c.prepare)
        c.prepare();
    for (int i = 0; i < opt.warmup; ++i)
        c.body(i, s);
    if (c.prepare)
        c.prepare();
    CUDA_DO(cudaStreamSynchronize(s));

    const auto t0 = Clock::now();
    for (int i = 0; i < opt.reps; ++i) {
        c.body(i, s);
        if (opt.drainEachRep)
            CUDA_DO(cudaStreamSynchronize(s));
    }
    CUDA_DO(cudaStreamSynchronize(s));
    const std::chrono::duration<double, std::milli> d = Clock::now() - t0;
    return {c.name, d.count() / opt.reps};
}

}  // namespace bench
