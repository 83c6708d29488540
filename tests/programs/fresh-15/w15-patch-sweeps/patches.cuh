#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define OKAY(call)                                           \
    do {                                                     \
        if (const cudaError_t e_ = (call)) {                 \
            std::printf("ERROR %s\n", cudaGetErrorName(e_)); \
            std::fflush(stdout);                             \
            std::_Exit(1);                                   \
        }                                                    \
    } while (0)

namespace amr {

struct Patch {
    int cells = 0;
    double* u = nullptr;
    double millis = 0.0;  // cost model of the physics on this patch
    cudaStream_t stream = nullptr;
};

// A coarse level and a few refined patches that are relaxed side by side.
class Hierarchy {
public:
    Hierarchy(int coarseCells, int patches, int patchCells);
    ~Hierarchy();
    Hierarchy(const Hierarchy&) = delete;
    Hierarchy& operator=(const Hierarchy&) = delete;

    void sweep(cudaStream_t coarse);
    std::vector<double> collect();
    double expected(int sweeps) const { return double(sweeps); }

private:
    Patch coarse_;
    std::vector<Patch> fine_;
    cudaEvent_t opened_ = nullptr;
};

}  // namespace amr
