/* conv_workspace: 1-D im2col convolutions with one cached workspace per handle. */
#include <cuda_runtime.h>

#include <stddef.h>
#include <stdlib.h>

extern "C" {

typedef enum {
  CW_OK = 0,
  CW_INVALID_VALUE,
  CW_ALLOC_FAILED,
  CW_EXECUTION_FAILED
} cw_status_t;

struct cw_context {
  int device;
  cudaStream_t stream;
  void *workspace;
  size_t workspace_bytes;
  cudaEvent_t last_use;
};
typedef struct cw_context *cw_handle_t;

typedef struct {
  int length;  /* input samples per channel */
  int channels;
  int taps;
  int filters;
} cw_conv_desc_t;

cw_status_t cw_create(cw_handle_t *out);
cw_status_t cw_destroy(cw_handle_t h);
cw_status_t cw_set_stream(cw_handle_t h, cudaStream_t stream);
cw_status_t cw_convolve(cw_handle_t h, const cw_conv_desc_t *d, const float *x, const float *w, float *y);

}  // extern "C"

#define CW_TRY(call, code)               \
  do {                                   \
    if ((call) != cudaSuccess) return code; \
  } while (0)

static __global__ void im2col_kernel(const float *__restrict__ x, float *__restrict__ cols, int length,
                                     int out_len, int rows, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y;
  if (i >= out_len || r >= rows) return;
  const int c = r / taps;
  const int t = r % taps;
  cols[(size_t)r * out_len + i] = x[(size_t)c * length + i + t];
}

static __global__ void gemm_kernel(const float *__restrict__ w, const float *__restrict__ cols,
                                   float *__restrict__ y, int rows, int out_len) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int f = blockIdx.y;
  if (i >= out_len) return;
  float acc = 0.f;
  for (int r = 0; r < rows; ++r) acc += w[(size_t)f * rows + r] * cols[(size_t)r * out_len + i];
  y[(size_t)f * out_len + i] = acc;
}

static cw_status_t ensure_workspace(cw_handle_t h, size_t bytes) {
  if (bytes <= h->workspace_bytes) return CW_OK;
  if (h->workspace) {
    CW_TRY(cudaFreeAsync(h->workspace, h->stream), CW_EXECUTION_FAILED);
    h->workspace = NULL;
    h->workspace_bytes = 0;
  }
  CW_TRY(cudaMallocAsync(&h->workspace, bytes, h->stream), CW_ALLOC_FAILED);
  h->workspace_bytes = bytes;
  return CW_OK;
}

extern "C" cw_status_t cw_create(cw_handle_t *out) {
  if (!out) return CW_INVALID_VALUE;
  cw_handle_t h = (cw_handle_t)calloc(1, sizeof(*h));
  if (!h) return CW_ALLOC_FAILED;
  if (cudaGetDevice(&h->device) != cudaSuccess ||
      cudaEventCreateWithFlags(&h->last_use, cudaEventDisableTiming) != cudaSuccess) {
    free(h);
    return CW_EXECUTION_FAILED;
  }
  *out = h;
  return CW_OK;
}

extern "C" cw_status_t cw_destroy(cw_handle_t h) {
  if (!h) return CW_OK;
  cudaEventSynchronize(h->last_use);
  if (h->workspace) cudaFree(h->workspace);
  cudaEventDestroy(h->last_use);
  free(h);
  return CW_OK;
}

extern "C" cw_status_t cw_set_stream(cw_handle_t h, cudaStream_t stream) {
  if (!h) return CW_INVALID_VALUE;
  if (h->stream == stream) return CW_OK;
  CW_TRY(cudaStreamWaitEvent(stream, h->last_use, 0), CW_EXECUTION_FAILED);
  h->stream = stream;
  return CW_OK;
}

/* Asynchronous in the handle's stream. */
extern "C" cw_status_t cw_convolve(cw_handle_t h, const cw_conv_desc_t *d, const float *x, const float *w,
                                   float *y) {
  if (!h || !d || d->taps < 1 || d->length < d->taps || d->filters < 1) return CW_INVALID_VALUE;
  const int out_len = d->length - d->taps + 1;
  const int rows = d->channels * d->taps;
  cw_status_t st = ensure_workspace(h, sizeof(float) * (size_t)rows * out_len);
  if (st != CW_OK) return st;

  float *cols = (float *)h->workspace;
  const dim3 block(128);
  const int gx = (out_len + 127) / 128;
  im2col_kernel<<<dim3(gx, rows), block, 0, h->stream>>>(x, cols, d->length, out_len, rows, d->taps);
  gemm_kernel<<<dim3(gx, d->filters), block, 0, h->stream>>>(w, cols, y, rows, out_len);
  CW_TRY(cudaGetLastError(), CW_EXECUTION_FAILED);
  CW_TRY(cudaEventRecord(h->last_use, h->stream), CW_EXECUTION_FAILED);
  return CW_OK;
}
