#include <cstdlib>
#include "spx_internal.h"

extern "C" spxStatus_t spxCreate(spxHandle_t *handle)
{
    if (!handle) return SPX_BAD_ARGUMENT;
    spxContext *h = static_cast<spxContext *>(std::calloc(1, sizeof(spxContext)));
    if (!h) return SPX_NO_MEMORY;
    *handle = h;
    return SPX_OK;
}

extern "C" spxStatus_t spxDestroy(spxHandle_t handle)
{
    std::free(handle);
    return SPX_OK;
}

extern "C" spxStatus_t spxSetStream(spxHandle_t handle, cudaStream_t stream)
{
    if (!handle) return SPX_BAD_ARGUMENT;
    handle->stream = stream;
    return SPX_OK;
}

extern "C" cudaError_t spxLastCudaError(spxHandle_t handle) { return handle->last; }

extern "C" spxStatus_t spxCreateCsr(spxHandle_t h, int rows, int cols, int nnz, const int *rowptr,
                                    const int *colind, const float *val, spxMat_t *mat)
{
    if (!h || !mat || rows <= 0 || cols <= 0 || nnz < 0) return SPX_BAD_ARGUMENT;
    spxCsr *A = static_cast<spxCsr *>(std::calloc(1, sizeof(spxCsr)));
    if (!A) return SPX_NO_MEMORY;
    *mat = A;
    A->rows = rows;
    A->cols = cols;
    A->nnz = nnz;
    A->stream = h->stream;

    const size_t ptrBytes = (rows + 1) * sizeof(int);
    SPX_TRY(h, cudaMalloc(&A->rowptr, ptrBytes));
    SPX_TRY(h, cudaMalloc(&A->colind, nnz * sizeof(int)));
    SPX_TRY(h, cudaMalloc(&A->val, nnz * sizeof(float)));
    SPX_TRY(h, cudaMemcpyAsync(A->rowptr, rowptr, ptrBytes, cudaMemcpyHostToDevice, A->stream));
    SPX_TRY(h, cudaMemcpyAsync(A->colind, colind, nnz * sizeof(int), cudaMemcpyHostToDevice, A->stream));
    SPX_TRY(h, cudaMemcpyAsync(A->val, val, nnz * sizeof(float), cudaMemcpyHostToDevice, A->stream));
    SPX_TRY(h, cudaStreamSynchronize(A->stream));
    return SPX_OK;
}

extern "C" spxStatus_t spxDestroyCsr(spxMat_t A)
{
    if (!A) return SPX_BAD_ARGUMENT;
    cudaFree(A->rowptr);
    cudaFree(A->colind);
    cudaFree(A->val);
    std::free(A);
    return SPX_OK;
}
