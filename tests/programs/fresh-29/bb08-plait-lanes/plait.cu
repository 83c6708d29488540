#include "plait_internal.h"

#include <new>

#define PLAIT_TRY(h, call)                           \
  do {                                               \
    const cudaError_t e_ = (call);                   \
    if (e_ != cudaSuccess) {                         \
      (h)->last = e_;                                \
      return PLAIT_CUDA_FAILURE;                     \
    }                                                \
  } while (0)

#define PLAIT_LANE(h, lane) \
  if (!(h) || (lane) < 0 || (lane) >= int((h)->lanes.size())) return PLAIT_INVALID

extern "C" {

plait_status plait_create(plait_handle* out, int lanes, const plait_options* options) {
  if (!out || !options || lanes < 1 || options->window == 0) return PLAIT_INVALID;
  plait_ctx* h = new (std::nothrow) plait_ctx{*options, std::vector<plait::lane>(lanes)};
  if (!h) return PLAIT_INVALID;
  *out = h;
  for (plait::lane& l : h->lanes) {
    PLAIT_TRY(h, cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
    PLAIT_TRY(h, cudaMalloc(reinterpret_cast<void**>(&l.d_total), sizeof(float)));
  }
  return PLAIT_OK;
}

plait_status plait_destroy(plait_handle h) {
  if (!h) return PLAIT_INVALID;
  for (plait::lane& l : h->lanes) {
    cudaStreamSynchronize(l.stream);
    plait::release(l.ws);
    cudaFree(l.d_total);
    cudaStreamDestroy(l.stream);
  }
  delete h;
  return PLAIT_OK;
}

plait_status plait_reserve(plait_handle h, size_t max_samples) {
  if (!h || max_samples == 0) return PLAIT_INVALID;
  for (plait::lane& l : h->lanes) PLAIT_TRY(h, plait::reserve(l.ws, plait::envelope_bytes(max_samples, h->options.window)));
  return PLAIT_OK;
}

plait_status plait_alloc_results(plait_handle h, size_t count, float** out) {
  if (!h || !out) return PLAIT_INVALID;
  PLAIT_TRY(h, cudaMallocHost(reinterpret_cast<void**>(out), count * sizeof(float)));
  return PLAIT_OK;
}

plait_status plait_free_results(plait_handle h, float* results) {
  PLAIT_TRY(h, cudaFreeHost(results));
  return PLAIT_OK;
}

plait_status plait_submit(plait_handle h, int lane, const float* d_samples, size_t n, float* h_result) {
  PLAIT_LANE(h, lane);
  if (!d_samples || n == 0) return PLAIT_INVALID;
  plait::lane& l = h->lanes[lane];
  const size_t bytes = plait::envelope_bytes(n, h->options.window);
  PLAIT_TRY(h, plait::reserve(l.ws, bytes));
  float* envelope = static_cast<float*>(l.ws.ptr);
  PLAIT_TRY(h, plait::launch_envelope(d_samples, n, h->options, envelope, l.stream));
  PLAIT_TRY(h, plait::launch_total(envelope, bytes / sizeof(float), l.d_total, l.stream));
  PLAIT_TRY(h, cudaMemcpyAsync(h_result, l.d_total, sizeof(float), cudaMemcpyDeviceToHost, l.stream));
  return PLAIT_OK;
}

plait_status plait_wait(plait_handle h, int lane) {
  PLAIT_LANE(h, lane);
  PLAIT_TRY(h, cudaStreamSynchronize(h->lanes[lane].stream));
  return PLAIT_OK;
}

plait_status plait_wait_all(plait_handle h) {
  for (int k = 0; k < int(h->lanes.size()); ++k) {
    const plait_status s = plait_wait(h, k);
    if (s != PLAIT_OK) return s;
  }
  return PLAIT_OK;
}

plait_status plait_get_stream(plait_handle h, int lane, cudaStream_t* out) {
  PLAIT_LANE(h, lane);
  *out = h->lanes[lane].stream;
  return PLAIT_OK;
}

cudaError_t plait_cuda_error(plait_handle h) { return h ? h->last : cudaErrorInvalidValue; }

}  // extern "C"
