#include "md_forces.h"

#include <stdlib.h>

#include "md_kernels.cuh"

#define MD_TRY(call)                            \
  do {                                          \
    cudaError_t md_err_ = (call);               \
    if (md_err_ != cudaSuccess) return md_err_; \
  } while (0)

enum { MD_BLOCK = 128 };

struct md_engine {
  md_params params;
  unsigned grid;
  size_t bytes;
  cudaStream_t near_stream;
  cudaStream_t far_stream;
  cudaEvent_t fork;
  cudaEvent_t join;
  cudaEvent_t begin;
  cudaEvent_t end;
  float *x;
  float *near_sum;
  float *far_sum;
  float *mean;
};

static cudaError_t md_init(md_engine *e) {
  MD_TRY(cudaStreamCreateWithFlags(&e->near_stream, cudaStreamNonBlocking));
  MD_TRY(cudaStreamCreateWithFlags(&e->far_stream, cudaStreamNonBlocking));
  MD_TRY(cudaEventCreateWithFlags(&e->fork, cudaEventDisableTiming));
  MD_TRY(cudaEventCreateWithFlags(&e->join, cudaEventDisableTiming));
  MD_TRY(cudaEventCreate(&e->begin));
  MD_TRY(cudaEventCreate(&e->end));
  MD_TRY(cudaMalloc((void **)&e->x, e->bytes));
  MD_TRY(cudaMalloc((void **)&e->near_sum, e->bytes));
  MD_TRY(cudaMalloc((void **)&e->far_sum, e->bytes));
  MD_TRY(cudaMalloc((void **)&e->mean, e->bytes));
  MD_TRY(cudaMemsetAsync(e->x, 0, e->bytes, e->near_stream));
  return cudaStreamSynchronize(e->near_stream);
}

extern "C" cudaError_t md_create(const md_params *params, md_engine **out) {
  if (params->atoms < 1) return cudaErrorInvalidValue;
  md_engine *e = (md_engine *)calloc(1, sizeof *e);
  if (e == NULL) return cudaErrorMemoryAllocation;
  e->params = *params;
  e->grid = (unsigned)((params->atoms + MD_BLOCK - 1) / MD_BLOCK);
  e->bytes = sizeof(float) * (size_t)params->atoms;
  cudaError_t err = md_init(e);
  if (err != cudaSuccess) {
    md_destroy(e);
    return err;
  }
  *out = e;
  return cudaSuccess;
}

extern "C" cudaError_t md_set_positions(md_engine *e, const float *x) {
  MD_TRY(cudaMemcpyAsync(e->x, x, e->bytes, cudaMemcpyHostToDevice, e->near_stream));
  return cudaStreamSynchronize(e->near_stream);
}

static cudaError_t md_split(md_engine *e) {
  MD_TRY(cudaEventRecord(e->fork, e->near_stream));
  MD_TRY(cudaStreamWaitEvent(e->far_stream, e->fork, 0));
  MD_TRY(cudaMemsetAsync(e->near_sum, 0, e->bytes, e->near_stream));
  return cudaMemsetAsync(e->far_sum, 0, e->bytes, e->far_stream);
}

static cudaError_t md_steps(md_engine *e, int steps) {
  const md_params *p = &e->params;
  for (int s = 0; s < steps; ++s) {
    md::near_pairs<<<e->grid, MD_BLOCK, 0, e->near_stream>>>(e->x, p->atoms, p->near_ns,
                                                             e->near_sum);
    MD_TRY(cudaGetLastError());
    md::far_field<<<e->grid, MD_BLOCK, 0, e->far_stream>>>(e->x, p->atoms, p->far_ns,
                                                           e->far_sum);
    MD_TRY(cudaGetLastError());
  }
  return cudaSuccess;
}

static cudaError_t md_unite(md_engine *e) {
  MD_TRY(cudaEventRecord(e->join, e->far_stream));
  return cudaStreamWaitEvent(e->near_stream, e->join, 0);
}

static cudaError_t md_average(md_engine *e, int steps) {
  md::mean_force<<<e->grid, MD_BLOCK, 0, e->near_stream>>>(
      e->near_sum, e->far_sum, e->params.atoms, 1.0f / (float)steps, e->mean);
  MD_TRY(cudaGetLastError());
  return cudaStreamSynchronize(e->near_stream);
}

extern "C" cudaError_t md_run(md_engine *e, int steps) {
  if (steps < 1) return cudaErrorInvalidValue;
  MD_TRY(md_split(e));
  MD_TRY(md_steps(e, steps));
  MD_TRY(md_unite(e));
  return md_average(e, steps);
}

extern "C" cudaError_t md_measure(md_engine *e, int steps, md_timing *timing) {
  if (steps < 1) return cudaErrorInvalidValue;
  MD_TRY(md_run(e, 1));

  MD_TRY(cudaEventRecord(e->begin, e->near_stream));
  MD_TRY(md_split(e));
  MD_TRY(md_steps(e, steps));
  MD_TRY(md_unite(e));
  MD_TRY(cudaEventRecord(e->end, e->near_stream));
  MD_TRY(md_average(e, steps));

  timing->steps = steps;
  MD_TRY(cudaEventElapsedTime(&timing->total_ms, e->begin, e->end));
  timing->step_ms = timing->total_ms / (float)steps;
  return cudaSuccess;
}

extern "C" cudaError_t md_get_forces(md_engine *e, float *f) {
  MD_TRY(cudaMemcpyAsync(f, e->mean, e->bytes, cudaMemcpyDeviceToHost, e->near_stream));
  return cudaStreamSynchronize(e->near_stream);
}

extern "C" void md_destroy(md_engine *e) {
  if (e == NULL) return;
  cudaFree(e->x);
  cudaFree(e->near_sum);
  cudaFree(e->far_sum);
  cudaFree(e->mean);
  if (e->fork) cudaEventDestroy(e->fork);
  if (e->join) cudaEventDestroy(e->join);
  if (e->begin) cudaEventDestroy(e->begin);
  if (e->end) cudaEventDestroy(e->end);
  if (e->near_stream) cudaStreamDestroy(e->near_stream);
  if (e->far_stream) cudaStreamDestroy(e->far_stream);
  free(e);
}
