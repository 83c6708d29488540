#include <new>

#include "spx_internal.h"

spxStatus_t spxCreate(spxHandle_t* handle) {
    if (!handle) return SPX_STATUS_INVALID_VALUE;
    *handle = new (std::nothrow) spxContext;
    return *handle ? SPX_STATUS_SUCCESS : SPX_STATUS_ALLOC_FAILED;
}

spxStatus_t spxDestroy(spxHandle_t handle) {
    if (!handle) return SPX_STATUS_INVALID_VALUE;
    SPX_RETURN_IF_CUDA(cudaStreamSynchronize(handle->stream));
    cudaFree(handle->residual);
    cudaFree(handle->correction);
    delete handle;
    return SPX_STATUS_SUCCESS;
}

spxStatus_t spxSetStream(spxHandle_t handle, cudaStream_t stream) {
    if (!handle) return SPX_STATUS_INVALID_VALUE;
    handle->stream = stream;
    return SPX_STATUS_SUCCESS;
}

spxStatus_t spxGetStream(spxHandle_t handle, cudaStream_t* stream) {
    if (!handle || !stream) return SPX_STATUS_INVALID_VALUE;
    *stream = handle->stream;
    return SPX_STATUS_SUCCESS;
}

spxStatus_t spxPrecondSetup(spxHandle_t handle, spxPrecondType_t type, const spxCsr_t* a) {
    if (!handle || !a || a->n <= 0) return SPX_STATUS_INVALID_VALUE;
    if (handle->capacity < a->n) {
        cudaFree(handle->residual);
        cudaFree(handle->correction);
        handle->capacity = 0;
        if (cudaMalloc(&handle->residual, sizeof(float) * a->n) != cudaSuccess ||
            cudaMalloc(&handle->correction, sizeof(float) * a->n) != cudaSuccess)
            return SPX_STATUS_ALLOC_FAILED;
        handle->capacity = a->n;
    }
    handle->precond = spx::makePreconditioner(type, handle->stream);
    const spxStatus_t status = handle->precond->setup(*a);
    if (status != SPX_STATUS_SUCCESS) return status;
    SPX_RETURN_IF_CUDA(cudaStreamSynchronize(handle->stream));
    return SPX_STATUS_SUCCESS;
}

const char* spxGetErrorString(spxStatus_t status) {
    switch (status) {
        case SPX_STATUS_SUCCESS: return "SPX_STATUS_SUCCESS";
        case SPX_STATUS_INVALID_VALUE: return "SPX_STATUS_INVALID_VALUE";
        case SPX_STATUS_NOT_READY: return "SPX_STATUS_NOT_READY";
        case SPX_STATUS_ALLOC_FAILED: return "SPX_STATUS_ALLOC_FAILED";
        default: return "SPX_STATUS_EXECUTION_FAILED";
    }
}
