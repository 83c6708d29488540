#include "spx_internal.h"

static __global__ void axpy_kernel(int n, double alpha, const double *x, double *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += alpha * x[i];
}

static __global__ void dot_kernel(int n, const double *x, const double *y, double *result)
{
    __shared__ double part[256];
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, part[0]);
}

static int blocks_for(int n)
{
    int blocks = (n + 255) / 256;
    return blocks > 512 ? 512 : blocks;
}

extern "C" spx_status_t spx_axpy(spx_handle_t h, int n, double alpha, const double *x, double *y)
{
    if (!h || n < 0 || !x || !y) return SPX_INVALID_VALUE;
    if (n == 0 || alpha == 0.0) return SPX_SUCCESS;
    axpy_kernel<<<blocks_for(n), 256, 0, h->stream>>>(n, alpha, x, y);
    SPX_TRY(cudaGetLastError());
    return SPX_SUCCESS;
}

extern "C" spx_status_t spx_dot(spx_handle_t h, int n, const double *x, const double *y, double *result)
{
    if (!h || n < 0 || !x || !y || !result) return SPX_INVALID_VALUE;
    SPX_TRY(cudaMemsetAsync(result, 0, sizeof(double), h->stream));
    if (n == 0) return SPX_SUCCESS;
    dot_kernel<<<blocks_for(n), 256, 0, h->stream>>>(n, x, y, result);
    SPX_TRY(cudaGetLastError());
    return SPX_SUCCESS;
}
