#include <cmath>
#include <new>

#include "tables.h"

struct dctx_plan_s {
  dctx_desc desc;
  cudaStream_t stream;
};

namespace {

constexpr int kThreads = 128;

// One block a row; the row is staged in shared memory.
__global__ void dct2_rows(const float* in, float* out, int n, int stride, float dc_scale, float ac_scale,
                          const float* cosines) {
  extern __shared__ float row[];
  const float* src = in + static_cast<size_t>(blockIdx.x) * stride;
  float* dst = out + static_cast<size_t>(blockIdx.x) * stride;
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = src[i];
  __syncthreads();

  const int period = 4 * n;
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    float acc = 0.f;
    int phase = k;
    for (int i = 0; i < n; ++i) {
      acc += row[i] * cosines[phase];
      phase += 2 * k;
      if (phase >= period) phase -= period;
    }
    dst[k] = acc * (k == 0 ? dc_scale : ac_scale);
  }
}

dctx_status check(const dctx_desc* d) {
  if (d->n <= 0 || d->n > DCTX_MAX_N || d->batch <= 0) return DCTX_INVALID_VALUE;
  if (d->stride != 0 && d->stride < d->n) return DCTX_INVALID_VALUE;
  return DCTX_OK;
}

}  // namespace

extern "C" {

dctx_status dctx_plan_create(dctx_plan* plan, const dctx_desc* desc) {
  if (!plan || !desc) return DCTX_INVALID_VALUE;
  DCTX_TRY(check(desc));
  DCTX_TRY(dctx::table_reserve(desc->n));
  dctx_plan p = new (std::nothrow) dctx_plan_s{*desc, nullptr};
  if (!p) return DCTX_ALLOC_FAILED;
  if (p->desc.stride == 0) p->desc.stride = p->desc.n;
  *plan = p;
  return DCTX_OK;
}

dctx_status dctx_plan_destroy(dctx_plan plan) {
  delete plan;
  return DCTX_OK;
}

dctx_status dctx_set_stream(dctx_plan plan, cudaStream_t stream) {
  if (!plan) return DCTX_INVALID_VALUE;
  plan->stream = stream;
  return DCTX_OK;
}

dctx_status dctx_execute(dctx_plan plan, const float* in, float* out) {
  if (!plan || !in || !out) return DCTX_INVALID_VALUE;
  const dctx_desc& d = plan->desc;
  const float* cosines = nullptr;
  DCTX_TRY(dctx::table_get(d.n, plan->stream, &cosines));

  float dc = 1.f, ac = 1.f;
  if (d.scale == DCTX_SCALE_ORTHO) {
    dc = std::sqrt(1.f / d.n);
    ac = std::sqrt(2.f / d.n);
  }
  dct2_rows<<<d.batch, kThreads, sizeof(float) * d.n, plan->stream>>>(in, out, d.n, d.stride, dc, ac, cosines);
  DCTX_TRY_CUDA(cudaGetLastError());
  return DCTX_OK;
}

dctx_status dctx_shutdown(void) { return dctx::table_release_all(); }

const char* dctx_status_string(dctx_status s) {
  switch (s) {
    case DCTX_OK: return "DCTX_OK";
    case DCTX_INVALID_VALUE: return "DCTX_INVALID_VALUE";
    case DCTX_ALLOC_FAILED: return "DCTX_ALLOC_FAILED";
    case DCTX_CUDA_ERROR: return "DCTX_CUDA_ERROR";
  }
  return "DCTX_UNKNOWN";
}

}  // extern "C"
