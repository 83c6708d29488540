#pragma once
#include <cuda_runtime.h>

#include <cstdint>

struct Grid {
    int nx, ny;
    __host__ __device__ int cells() const { return nx * ny; }
};

// Integer diffusion keeps host and device results bit-identical.
struct AveragingScheme {
    static __host__ __device__ uint32_t combine(uint32_t c, uint32_t l, uint32_t r, uint32_t u, uint32_t d) {
        return (4 * c + l + r + u + d) / 8;
    }
};

template <class Scheme>
__host__ __device__ uint32_t relax_cell(const uint32_t* f, Grid g, int x, int y) {
    int xl = x ? x - 1 : g.nx - 1, xr = x + 1 < g.nx ? x + 1 : 0;
    int yu = y ? y - 1 : g.ny - 1, yd = y + 1 < g.ny ? y + 1 : 0;
    return Scheme::combine(f[y * g.nx + x], f[y * g.nx + xl], f[y * g.nx + xr], f[yu * g.nx + x], f[yd * g.nx + x]);
}

template <class Scheme>
__global__ void relax(const uint32_t* in, uint32_t* out, Grid g) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < g.cells()) out[i] = relax_cell<Scheme>(in, g, i % g.nx, i / g.nx);
}

__global__ void clear_sum(unsigned long long* sum) { *sum = 0; }

__global__ void mass(const uint32_t* f, Grid g, unsigned long long* sum) {
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < g.cells(); i += gridDim.x * blockDim.x) mine += f[i];
    atomicAdd(sum, mine);
}

__global__ void push_history(const unsigned long long* sum, unsigned long long* history, int* length) {
    history[*length] = *sum;
    *length += 1;
}
