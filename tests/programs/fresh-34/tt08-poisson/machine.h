// machine.h - the phases of a run
#pragma once

#include <cuda_runtime.h>

#include "solver.cuh"

#include <chrono>
#include <vector>

namespace poisson {

enum class Phase { Allocate, Fill, Warm, Reset, Start, Sweep, Stop, Settle, Witness, Verify, Release, End };

struct Outcome {
    cudaError_t error = cudaSuccess;
    long        mismatches = 0;
    float       reported_ms = 0;
    double      witness_ms = 0;
};

class Machine {
public:
    explicit Machine(int sweeps) : sweeps_(sweeps) {}
    Outcome run();

private:
    using clock = std::chrono::steady_clock;

    Phase step(Phase p);
    Phase allocate();
    Phase fill();
    Phase warm();
    Phase reset();
    Phase start();
    Phase sweep_once();
    Phase stop();
    Phase settle();
    Phase witness();
    Phase verify();
    Phase release();

    // moves on, or to the end after an error
    Phase then(cudaError_t e, Phase next)
    {
        if (e == cudaSuccess)
            return next;
        if (out_.error == cudaSuccess)
            out_.error = e;
        return Phase::Release;
    }

    int sweeps_;
    int done_ = 0;
    Outcome out_;
    Lanes lanes_;
    cudaEvent_t begin_{}, end_{};
    float *f_{}, *u_{}, *host_{};
};

} // namespace poisson
