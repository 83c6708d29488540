#include "lap.h"
#include "lap_reduce.cuh"

#include <new>

struct lapContext {
  cudaStream_t stream = nullptr;
  double *workspace = nullptr;
  size_t workspaceBytes = 0;
};

#define LAP_REQUIRE(handle) \
  if (!(handle)) return LAP_STATUS_NOT_INITIALIZED

namespace lap {

lapStatus_t acquire(lapHandle_t handle, size_t bytes, View &view) {
  LAP_REQUIRE(handle);
  if (bytes > handle->workspaceBytes) {
    if (cudaFree(handle->workspace) != cudaSuccess) return LAP_STATUS_EXECUTION_FAILED;
    handle->workspace = nullptr;
    handle->workspaceBytes = 0;
    if (cudaMalloc(&handle->workspace, bytes) != cudaSuccess) return LAP_STATUS_ALLOC_FAILED;
    handle->workspaceBytes = bytes;
  }
  view = View{handle->stream, handle->workspace};
  return LAP_STATUS_SUCCESS;
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
}  // namespace lap

extern "C" {

lapStatus_t lapCreate(lapHandle_t *handle) {
  if (!handle) return LAP_STATUS_INVALID_VALUE;
  lapContext *ctx = new (std::nothrow) lapContext;
  if (!ctx) return LAP_STATUS_ALLOC_FAILED;
  lap::View view;
  lapStatus_t status = lap::acquire(ctx, 4096, view);
  if (status != LAP_STATUS_SUCCESS) {
    delete ctx;
    return status;
  }
  *handle = ctx;
  return LAP_STATUS_SUCCESS;
}

lapStatus_t lapDestroy(lapHandle_t handle) {
  LAP_REQUIRE(handle);
  cudaError_t e = cudaStreamSynchronize(handle->stream);
  cudaFree(handle->workspace);
  delete handle;
  return e == cudaSuccess ? LAP_STATUS_SUCCESS : LAP_STATUS_EXECUTION_FAILED;
}

lapStatus_t lapSetStream(lapHandle_t handle, cudaStream_t stream) {
  LAP_REQUIRE(handle);
  handle->stream = stream;
  return LAP_STATUS_SUCCESS;
}

lapStatus_t lapGetStream(lapHandle_t handle, cudaStream_t *stream) {
  LAP_REQUIRE(handle);
  *stream = handle->stream;
  return LAP_STATUS_SUCCESS;
}

lapStatus_t lapDdot(lapHandle_t handle, size_t n, const double *x, const double *y, double *result) {
  return lap::mapReduce(handle, n, lap::Product{x, y}, lap::Combiner<lap::Plus, lap::Plus>{}, result);
}

lapStatus_t lapDasum(lapHandle_t handle, size_t n, const double *x, double *result) {
  return lap::mapReduce(handle, n, lap::Magnitude{x}, lap::Combiner<lap::Plus, lap::Plus>{}, result);
}

lapStatus_t lapDamax(lapHandle_t handle, size_t n, const double *x, double *result) {
  return lap::mapReduce(handle, n, lap::Magnitude{x}, lap::Combiner<lap::Max, lap::Max>{}, result);
}

const char *lapGetStatusString(lapStatus_t status) {
  static const char *const names[] = {"LAP_STATUS_SUCCESS", "LAP_STATUS_NOT_INITIALIZED",
                                      "LAP_STATUS_ALLOC_FAILED", "LAP_STATUS_INVALID_VALUE",
                                      "LAP_STATUS_EXECUTION_FAILED"};
  return status >= 0 && status <= LAP_STATUS_EXECUTION_FAILED ? names[status] : "LAP_STATUS_UNKNOWN";
}

}  // extern "C"
