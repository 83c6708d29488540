#include "spx_internal.h"

namespace {

constexpr int kBlock = 128;

__global__ void residualKernel(spxCsr_t a, const float* b, const float* x, float* r) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= a.n) return;
    float sum = b[row];
    for (int k = a.rowPtr[row]; k < a.rowPtr[row + 1]; ++k) sum -= a.values[k] * x[a.colInd[k]];
    r[row] = sum;
}

__global__ void updateKernel(int n, float omega, const float* z, float* x) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) x[row] += omega * z[row];
}

}  // namespace

spxStatus_t spxRichardson(spxHandle_t handle, const spxCsr_t* a, const float* b, float* x,
                          float omega, int iterations) {
    if (!handle || !a || !b || !x) return SPX_STATUS_INVALID_VALUE;
    if (!handle->precond || handle->capacity < a->n) return SPX_STATUS_NOT_READY;

    const int grid = (a->n + kBlock - 1) / kBlock;
    for (int it = 0; it < iterations; ++it) {
        residualKernel<<<grid, kBlock, 0, handle->stream>>>(*a, b, x, handle->residual);
        SPX_RETURN_IF_CUDA(cudaGetLastError());
        const spxStatus_t status = handle->precond->apply(handle->residual, handle->correction);
        if (status != SPX_STATUS_SUCCESS) return status;
        updateKernel<<<grid, kBlock, 0, handle->stream>>>(a->n, omega, handle->correction, x);
        SPX_RETURN_IF_CUDA(cudaGetLastError());
    }
    return SPX_STATUS_SUCCESS;
}
