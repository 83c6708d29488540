/* fir.cu - FIR filtering with per-call gain, C interface.
 *
 * firApply is asynchronous on `stream` and may be recorded by stream capture; the
 * graph can be replayed for as long as the caller's buffers exist. The taps and the
 * gain in force at the time of the call are the ones the recorded call uses.
 * A handle holds no device memory. One host thread at a time per handle.
 */
#include <cuda_runtime.h>

#include <stdlib.h>
#include <string.h>

#define FIR_MAX_TAPS 64

extern "C" {
typedef struct firPlan_s* firPlan;

cudaError_t firCreate(firPlan* plan, const float* taps, int ntaps);
cudaError_t firSetTaps(firPlan plan, const float* taps, int ntaps);
cudaError_t firApply(firPlan plan, const float* d_in, float* d_out, int n, float gain,
                     cudaStream_t stream);
cudaError_t firDestroy(firPlan plan);
}

typedef struct {
  float v[FIR_MAX_TAPS];
} TapBlock;

struct firPlan_s {
  int ntaps;
  TapBlock taps;
};

#define FIR_RETURN_IF(e_)                \
  do {                                   \
    cudaError_t fir_e = (e_);            \
    if (fir_e != cudaSuccess) return fir_e; \
  } while (0)

static __global__ void put_taps(TapBlock* dst, TapBlock src) {
  dst->v[threadIdx.x] = src.v[threadIdx.x];
}

static __global__ void fir_kernel(const float* __restrict__ x, float* __restrict__ y, int n,
                                  const TapBlock* __restrict__ taps, int ntaps) {
  __shared__ float h[FIR_MAX_TAPS];
  for (int k = threadIdx.x; k < ntaps; k += blockDim.x) h[k] = taps->v[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float acc = 0.f;
  for (int k = 0; k < ntaps; ++k) {
    int j = i - k;
    if (j >= 0) acc = fmaf(h[k], x[j], acc);
  }
  y[i] = acc;
}

cudaError_t firSetTaps(firPlan plan, const float* taps, int ntaps) {
  if (!plan || !taps || ntaps < 1 || ntaps > FIR_MAX_TAPS) return cudaErrorInvalidValue;
  memset(&plan->taps, 0, sizeof(plan->taps));
  memcpy(plan->taps.v, taps, sizeof(float) * (size_t)ntaps);
  plan->ntaps = ntaps;
  return cudaSuccess;
}

cudaError_t firCreate(firPlan* plan, const float* taps, int ntaps) {
  if (!plan) return cudaErrorInvalidValue;
  firPlan p = (firPlan)calloc(1, sizeof(*p));
  if (!p) return cudaErrorMemoryAllocation;
  cudaError_t e = firSetTaps(p, taps, ntaps);
  if (e != cudaSuccess) {
    free(p);
    return e;
  }
  *plan = p;
  return cudaSuccess;
}

cudaError_t firApply(firPlan plan, const float* d_in, float* d_out, int n, float gain,
                     cudaStream_t stream) {
  if (!plan || !d_in || !d_out || d_in == d_out || n < 0) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;

  TapBlock scaled;
  for (int k = 0; k < FIR_MAX_TAPS; ++k) scaled.v[k] = gain * plan->taps.v[k];

  TapBlock* d_taps = NULL;
  FIR_RETURN_IF(cudaMallocAsync((void**)&d_taps, sizeof(TapBlock), stream));
  put_taps<<<1, FIR_MAX_TAPS, 0, stream>>>(d_taps, scaled);
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) {
    fir_kernel<<<(n + 255) / 256, 256, 0, stream>>>(d_in, d_out, n, d_taps, plan->ntaps);
    e = cudaGetLastError();
  }
  cudaError_t f = cudaFreeAsync(d_taps, stream);
  return e != cudaSuccess ? e : f;
}

cudaError_t firDestroy(firPlan plan) {
  free(plan);
  return cudaSuccess;
}
