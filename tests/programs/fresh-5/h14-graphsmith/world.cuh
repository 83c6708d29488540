#pragma once

namespace smith {

struct Field {
    unsigned* cells;
    int n;
};

__host__ __device__ inline unsigned drift(unsigned v, unsigned wind) { return v * 1664525u + wind; }

__global__ void advance(Field f, int first, int count, unsigned wind)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        f.cells[first + i] = drift(f.cells[first + i], wind);
}

__global__ void mix(Field f, const unsigned* terrain)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < f.n; i += gridDim.x * blockDim.x) f.cells[i] ^= terrain[i];
}

}  // namespace smith
