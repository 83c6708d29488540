#include "vx.h"
#include "vx_reduce.cuh"

#include <new>

struct vxContext {
  cudaStream_t stream = nullptr;
  cudaEvent_t handoff = nullptr;
  double *workspace = nullptr;
  size_t workspaceBytes = 0;
};

#define VX_REQUIRE(handle) \
  if (!(handle)) return VX_STATUS_NOT_INITIALIZED

namespace vx {

vxStatus_t acquire(vxHandle_t handle, size_t bytes, View &view) {
  VX_REQUIRE(handle);
  if (bytes > handle->workspaceBytes) {
    if (cudaFree(handle->workspace) != cudaSuccess) return VX_STATUS_EXECUTION_FAILED;
    handle->workspace = nullptr;
    handle->workspaceBytes = 0;
    if (cudaMalloc(&handle->workspace, bytes) != cudaSuccess) return VX_STATUS_ALLOC_FAILED;
    handle->workspaceBytes = bytes;
  }
  view = View{handle->stream, handle->workspace};
  return VX_STATUS_SUCCESS;
}

namespace {

struct Product {
  const double *x, *y;
  __device__ double operator()(size_t i) const { return x[i] * y[i]; }
};

struct Magnitude {
  const double *x;
  __device__ double operator()(size_t i) const { return fabs(x[i]); }
};

}  // namespace
}  // namespace vx

extern "C" {

vxStatus_t vxCreate(vxHandle_t *handle) {
  if (!handle) return VX_STATUS_INVALID_VALUE;
  vxContext *ctx = new (std::nothrow) vxContext;
  if (!ctx) return VX_STATUS_ALLOC_FAILED;
  if (cudaEventCreateWithFlags(&ctx->handoff, cudaEventDisableTiming) != cudaSuccess) {
    delete ctx;
    return VX_STATUS_ALLOC_FAILED;
  }
  vx::View view;
  vxStatus_t status = vx::acquire(ctx, 4096, view);
  if (status != VX_STATUS_SUCCESS) {
    cudaEventDestroy(ctx->handoff);
    delete ctx;
    return status;
  }
  *handle = ctx;
  return VX_STATUS_SUCCESS;
}

vxStatus_t vxDestroy(vxHandle_t handle) {
  VX_REQUIRE(handle);
  cudaError_t e = cudaStreamSynchronize(handle->stream);
  cudaFree(handle->workspace);
  cudaEventDestroy(handle->handoff);
  delete handle;
  return e == cudaSuccess ? VX_STATUS_SUCCESS : VX_STATUS_EXECUTION_FAILED;
}

vxStatus_t vxSetStream(vxHandle_t handle, cudaStream_t stream) {
  VX_REQUIRE(handle);
  if (stream == handle->stream) return VX_STATUS_SUCCESS;
  if (cudaEventRecord(handle->handoff, handle->stream) != cudaSuccess) return VX_STATUS_EXECUTION_FAILED;
  if (cudaStreamWaitEvent(stream, handle->handoff, 0) != cudaSuccess) return VX_STATUS_EXECUTION_FAILED;
  handle->stream = stream;
  return VX_STATUS_SUCCESS;
}

vxStatus_t vxGetStream(vxHandle_t handle, cudaStream_t *stream) {
  VX_REQUIRE(handle);
  *stream = handle->stream;
  return VX_STATUS_SUCCESS;
}

vxStatus_t vxDdot(vxHandle_t handle, size_t n, const double *x, const double *y, double *result) {
  return vx::mapReduce(handle, n, vx::Product{x, y}, vx::Combiner<vx::Plus, vx::Plus>{}, result);
}

vxStatus_t vxDasum(vxHandle_t handle, size_t n, const double *x, double *result) {
  return vx::mapReduce(handle, n, vx::Magnitude{x}, vx::Combiner<vx::Plus, vx::Plus>{}, result);
}

vxStatus_t vxDamax(vxHandle_t handle, size_t n, const double *x, double *result) {
  return vx::mapReduce(handle, n, vx::Magnitude{x}, vx::Combiner<vx::Max, vx::Max>{}, result);
}

const char *vxGetStatusString(vxStatus_t status) {
  static const char *const names[] = {"VX_STATUS_SUCCESS", "VX_STATUS_NOT_INITIALIZED",
                                      "VX_STATUS_ALLOC_FAILED", "VX_STATUS_INVALID_VALUE",
                                      "VX_STATUS_EXECUTION_FAILED"};
  return status >= 0 && status <= VX_STATUS_EXECUTION_FAILED ? names[status] : "VX_STATUS_UNKNOWN";
}

}  // extern "C"
