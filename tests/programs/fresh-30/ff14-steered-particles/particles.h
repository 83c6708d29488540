#pragma once

#include "drv.h"

constexpr int kCells = 256;

struct Particle {
    int position;
    int velocity;
};

// Steering force of a cell at a step.
#ifdef __CUDACC__
__host__ __device__
#endif
inline int steering(int step, int cell)
{
    return (step * 31 + cell * 7) % 61 - 30;
}

struct Functions {
    CUfunction build;      // (field, cells, step)
    CUfunction integrate;  // (particles, count, field)
};
Functions loadFunctions();
