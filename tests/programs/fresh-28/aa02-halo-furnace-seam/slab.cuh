#pragma once
#include "team.h"

// Field storage of one rank: two copies, (rows + 2) x width, row-major.
struct Slab {
    int rows = 0;
    int width = 0;
    double* field[2] = {nullptr, nullptr};

    size_t bytes() const { return sizeof(double) * (rows + 2) * width; }
    double* row(int copy, int r) const { return field[copy] + size_t(r) * width; }
};

void slab_open(Slab& slab, const Geometry& g, const double* initial);
void slab_close(Slab& slab);

// to = diffusion step of from, rows 1..rows
void slab_sweep(const Slab& slab, int from, int to, double alpha, cudaStream_t stream);

// Lining model: the first and the last row of a slab touch a steel seam, which
// conducts heat away. A table lookup with a long dependent chain.
void slab_seam(const Slab& slab, int copy, cudaStream_t stream);
