#include "spx_internal.h"

namespace {

__global__ void rowGather(int rows, const int *rowptr, const int *colind, const float *val,
                          const float *x, float *y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float s = 0.f;
    for (int k = rowptr[r]; k < rowptr[r + 1]; ++k) s += val[k] * x[colind[k]];
    y[r] = s;
}

__global__ void rowScatter(int rows, const int *rowptr, const int *colind, const float *val,
                           const float *x, float *y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float xr = x[r];
    for (int k = rowptr[r]; k < rowptr[r + 1]; ++k) atomicAdd(&y[colind[k]], val[k] * xr);
}

__global__ void dotKernel(int n, const float *x, const float *y, float *result)
{
    float s = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s += x[i] * y[i];
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(0xffffffffu, s, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(result, s);
}

const int kThreads = 128;

int blocksFor(int n) { return (n + kThreads - 1) / kThreads; }

}  // namespace

extern "C" spxStatus_t spxMv(spxHandle_t h, spxMat_t A, const float *x, float *y)
{
    if (!h || !A || !x || !y) return SPX_BAD_ARGUMENT;
    rowGather<<<blocksFor(A->rows), kThreads, 0, h->stream>>>(A->rows, A->rowptr, A->colind, A->val, x, y);
    SPX_TRY(h, cudaGetLastError());
    return SPX_OK;
}

extern "C" spxStatus_t spxMvT(spxHandle_t h, spxMat_t A, const float *x, float *y)
{
    if (!h || !A || !x || !y) return SPX_BAD_ARGUMENT;
    SPX_TRY(h, cudaMemsetAsync(y, 0, A->cols * sizeof(float), A->stream));
    rowScatter<<<blocksFor(A->rows), kThreads, 0, h->stream>>>(A->rows, A->rowptr, A->colind, A->val, x, y);
    SPX_TRY(h, cudaGetLastError());
    return SPX_OK;
}

extern "C" spxStatus_t spxDot(spxHandle_t h, int n, const float *x, const float *y, float *result)
{
    if (!h || n <= 0 || !x || !y || !result) return SPX_BAD_ARGUMENT;
    SPX_TRY(h, cudaMemsetAsync(result, 0, sizeof(float), h->stream));
    dotKernel<<<32, kThreads, 0, h->stream>>>(n, x, y, result);
    SPX_TRY(h, cudaGetLastError());
    return SPX_OK;
}
