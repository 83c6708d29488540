/* sgram.cu - short-frame power smoothing behind a C handle.
 *
 * Usage:  sgCreate -> [sgSetStream] -> sgExecute ... -> sgDestroy
 *
 * sgExecute is asynchronous on the handle's current stream. sgSetStream may be
 * called at any time between executions; it does not block the host. One handle
 * may be driven by one host thread at a time. Not for use in stream capture.
 */
#include <cuda_runtime.h>
#include <stdlib.h>

extern "C" {
typedef struct sgContext* sgHandle;
typedef enum { SG_OK = 0, SG_BAD_ARG = 1, SG_NO_MEMORY = 2, SG_CUDA = 3 } sgStatus;

sgStatus sgCreate(sgHandle* out, int frame);
sgStatus sgSetStream(sgHandle h, cudaStream_t stream);
sgStatus sgExecute(sgHandle h, const float* d_signal, float* d_power, int n);
sgStatus sgDestroy(sgHandle h);
}

struct sgContext {
  int frame;
  cudaStream_t stream;
  cudaEvent_t finished;
  float* work;
  int capacity;
};

#define SG_TRY(call)                            \
  do {                                          \
    if ((call) != cudaSuccess) return SG_CUDA;  \
  } while (0)

static __global__ void sg_window_square(const float* x, float* w, int n, int frame) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float t = (i % frame + 0.5f) / frame;
    float h = sinpif(t);
    float v = x[i] * h;
    w[i] = v * v;
  }
}

static __global__ void sg_frame_mean(const float* w, float* p, int n, int frame) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int lo = (i / frame) * frame;
    int hi = min(lo + frame, n);
    float acc = 0.f;
    for (int k = lo; k < hi; ++k) acc += w[k];
    p[i] = acc / (hi - lo);
  }
}

sgStatus sgCreate(sgHandle* out, int frame) {
  if (!out || frame <= 0) return SG_BAD_ARG;
  sgContext* c = (sgContext*)calloc(1, sizeof(*c));
  if (!c) return SG_NO_MEMORY;
  c->frame = frame;
  if (cudaEventCreateWithFlags(&c->finished, cudaEventDisableTiming) != cudaSuccess) {
    free(c);
    return SG_CUDA;
  }
  *out = c;
  return SG_OK;
}

sgStatus sgSetStream(sgHandle h, cudaStream_t stream) {
  if (!h) return SG_BAD_ARG;
  h->stream = stream;
  return SG_OK;
}

static sgStatus sg_reserve(sgHandle h, int n) {
  if (n <= h->capacity) return SG_OK;
  SG_TRY(cudaEventSynchronize(h->finished));
  float* bigger = NULL;
  if (cudaMalloc((void**)&bigger, sizeof(float) * (size_t)n) != cudaSuccess) {
    (void)cudaGetLastError();
    return SG_NO_MEMORY;
  }
  cudaFree(h->work);
  h->work = bigger;
  h->capacity = n;
  return SG_OK;
}

sgStatus sgExecute(sgHandle h, const float* d_signal, float* d_power, int n) {
  if (!h || n < 0 || (n > 0 && (!d_signal || !d_power))) return SG_BAD_ARG;
  if (n == 0) return SG_OK;
  sgStatus st = sg_reserve(h, n);
  if (st != SG_OK) return st;

  const int tpb = 256;
  int grid = (n + tpb - 1) / tpb;
  if (grid > 4096) grid = 4096;
  sg_window_square<<<grid, tpb, 0, h->stream>>>(d_signal, h->work, n, h->frame);
  SG_TRY(cudaGetLastError());
  sg_frame_mean<<<grid, tpb, 0, h->stream>>>(h->work, d_power, n, h->frame);
  SG_TRY(cudaGetLastError());
  SG_TRY(cudaEventRecord(h->finished, h->stream));
  return SG_OK;
}

sgStatus sgDestroy(sgHandle h) {
  if (!h) return SG_BAD_ARG;
  cudaError_t e = cudaEventSynchronize(h->finished);
  cudaFree(h->work);
  cudaEventDestroy(h->finished);
  free(h);
  return e == cudaSuccess ? SG_OK : SG_CUDA;
}
