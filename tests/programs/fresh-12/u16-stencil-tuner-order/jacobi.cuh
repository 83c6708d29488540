#pragma once
#include <cuda_runtime.h>

__host__ __device__ inline float plane(int x, int y) { return float(x + 2 * y); }

__global__ void seedGrid(float* a, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) a[size_t(y) * n + x] = plane(x, y);
}

template <int TX, int TY>
__global__ void jacobi(const float* __restrict__ in, float* __restrict__ out, int n)
{
    const int x = blockIdx.x * TX + threadIdx.x;
    const int y = blockIdx.y * TY + threadIdx.y;
    if (x >= n || y >= n) return;
    const size_t k = size_t(y) * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        out[k] = in[k];
    else
        out[k] = 0.25f * (in[k - 1] + in[k + 1] + in[k - n] + in[k + n]);
}

__global__ void countDeviations(const float* a, int n, unsigned* bad)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n && a[size_t(y) * n + x] != plane(x, y)) atomicAdd(bad, 1u);
}
