#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CUDA_TRY(expr)                                              \
    do {                                                            \
        const cudaError_t status_ = (expr);                         \
        if (status_ != cudaSuccess) {                               \
            std::printf("ERROR %s\n", cudaGetErrorName(status_));   \
            std::fflush(stdout);                                    \
            std::_Exit(1);                                          \
        }                                                           \
    } while (0)

namespace poisson {

constexpr int kThreads = 256;
constexpr int kBlocks = 32;
constexpr int kUnknowns = kThreads * kBlocks;
constexpr int kSweeps = 8;
constexpr int kStop = -1;

// In mapped host memory: written by the solver, answered by the monitor.
struct Mailbox {
    volatile int published;
    volatile int verdict;
};

struct System {
    const float* rhs;
    float* x0;
    float* x1;
    float* snapshot;
    int* go;
};

void launch_resident_solver(System sys, Mailbox* mail, cudaStream_t stream);

}  // namespace poisson
