#include "tds.h"

#include <stdlib.h>

enum { TDS_MAX_LANES = 8 };

struct tds_lane {
  cudaStream_t stream;
  cudaEvent_t done;
};

struct tds_context {
  tds_config cfg;
  cudaStream_t stream;
  cudaEvent_t ready;
  struct tds_lane lane[TDS_MAX_LANES];
  float* scratch;
  cudaError_t last;
};

#define TDS_CALL(h, expr)                  \
  do {                                     \
    (h)->last = (expr);                    \
    if ((h)->last != cudaSuccess) return TDS_CUDA_ERROR; \
  } while (0)

static __global__ void thomas(tds_matrix m, float* x, float* scratch, int systems, int rows, int first, int count) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= count) return;
  s += first;
  float cp = m.upper[s] / m.diag[s];
  float dp = m.rhs[s] / m.diag[s];
  scratch[s] = cp;
  x[s] = dp;
  for (int i = 1; i < rows; ++i) {
    size_t at = (size_t)i * systems + s;
    float w = 1.f / (m.diag[at] - m.lower[at] * cp);
    cp = m.upper[at] * w;
    dp = (m.rhs[at] - m.lower[at] * dp) * w;
    scratch[at] = cp;
    x[at] = dp;
  }
  for (int i = rows - 2; i >= 0; --i) {
    size_t at = (size_t)i * systems + s;
    dp = x[at] - scratch[at] * dp;
    x[at] = dp;
  }
}

tds_status tds_create(tds_handle* handle, const tds_config* config) {
  if (!handle || !config || config->lanes < 1 || config->lanes > TDS_MAX_LANES) return TDS_BAD_ARGUMENT;
  tds_handle h = (tds_handle)calloc(1, sizeof(struct tds_context));
  if (!h) return TDS_NO_MEMORY;
  *handle = h;
  h->cfg = *config;
  TDS_CALL(h, cudaMalloc((void**)&h->scratch, (size_t)config->systems * config->rows * sizeof(float)));
  TDS_CALL(h, cudaEventCreateWithFlags(&h->ready, cudaEventDisableTiming));
  for (int i = 0; i < config->lanes; ++i) {
    TDS_CALL(h, cudaStreamCreateWithFlags(&h->lane[i].stream, cudaStreamNonBlocking));
    TDS_CALL(h, cudaEventCreateWithFlags(&h->lane[i].done, cudaEventDisableTiming));
  }
  return TDS_OK;
}

tds_status tds_set_stream(tds_handle h, cudaStream_t stream) {
  if (!h) return TDS_BAD_ARGUMENT;
  h->stream = stream;
  TDS_CALL(h, cudaEventRecord(h->ready, stream));
  return TDS_OK;
}

tds_status tds_solve(tds_handle h, const tds_matrix* m, float* x) {
  if (!h || !m || !x) return TDS_BAD_ARGUMENT;
  const int lanes = h->cfg.lanes;
  const int share = (h->cfg.systems + lanes - 1) / lanes;

  for (int i = 0; i < lanes; ++i) {
    struct tds_lane* l = &h->lane[i];
    const int first = i * share;
    const int count = h->cfg.systems - first < share ? h->cfg.systems - first : share;
    if (count <= 0) break;
    TDS_CALL(h, cudaStreamWaitEvent(l->stream, h->ready, 0));
    thomas<<<(count + 127) / 128, 128, 0, l->stream>>>(*m, x, h->scratch, h->cfg.systems, h->cfg.rows, first, count);
    TDS_CALL(h, cudaGetLastError());
    TDS_CALL(h, cudaEventRecord(l->done, l->stream));
    TDS_CALL(h, cudaStreamWaitEvent(h->stream, l->done, 0));
  }
  return TDS_OK;
}

tds_status tds_destroy(tds_handle h) {
  if (!h) return TDS_BAD_ARGUMENT;
  for (int i = 0; i < h->cfg.lanes; ++i) {
    TDS_CALL(h, cudaStreamSynchronize(h->lane[i].stream));
    TDS_CALL(h, cudaEventDestroy(h->lane[i].done));
    TDS_CALL(h, cudaStreamDestroy(h->lane[i].stream));
  }
  TDS_CALL(h, cudaEventDestroy(h->ready));
  TDS_CALL(h, cudaFree(h->scratch));
  free(h);
  return TDS_OK;
}

cudaError_t tds_cuda_error(tds_handle h) { return h ? h->last : cudaErrorInvalidValue; }
