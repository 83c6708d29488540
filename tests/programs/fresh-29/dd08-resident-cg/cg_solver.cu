#include "cg_solver.h"
#include "grid_gate.cuh"

#include <stdlib.h>

#define THREADS 256
#define MAX_BLOCKS 64

#define GUARD(call)                      \
  do {                                   \
    cudaError_t guard_ = (call);         \
    if (guard_ != cudaSuccess) return guard_; \
  } while (0)

struct cg_args {
  int n;
  double shift;
  double tol2;
  int max_iterations;
  const double *b;
  double *x, *r, *p, *ap;
  double *partial; /* two sets of MAX_BLOCKS */
  grid_gate *gate;
  cg_info *info;
};

struct cg_solver {
  cg_args args;
  cg_info *info_host;
  double *b_dev;
  cudaStream_t stream;
  int blocks;
  int cooperative;
  int busy;
};

/* Reads what other blocks have written. */
__device__ static double shared_read(const double *p) { return *(const volatile double *)p; }

__device__ static double block_sum(double v) {
  __shared__ double lane[THREADS];
  lane[threadIdx.x] = v;
  __syncthreads();
  for (int s = THREADS / 2; s > 0; s >>= 1) {
    if ((int)threadIdx.x < s) lane[threadIdx.x] += lane[threadIdx.x + s];
    __syncthreads();
  }
  const double sum = lane[0];
  __syncthreads();
  return sum;
}

__device__ static double grid_sum(double v, double *partial, grid_gate *gate) {
  const double mine = block_sum(v);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
  gate_pass(gate);
  double t = 0;
  for (int b = threadIdx.x; b < (int)gridDim.x; b += THREADS) t += shared_read(partial + b);
  return block_sum(t);
}

__global__ void __launch_bounds__(THREADS) cg_kernel(cg_args a) {
  const int first = blockIdx.x * THREADS + threadIdx.x;
  const int stride = gridDim.x * THREADS;
  double *set0 = a.partial, *set1 = a.partial + MAX_BLOCKS;

  double acc = 0;
  for (int i = first; i < a.n; i += stride) {
    const double b = a.b[i];
    a.x[i] = 0;
    a.r[i] = b;
    a.p[i] = b;
    acc += b * b;
  }
  double rr = grid_sum(acc, set0, a.gate);
  int it = 0;
  while (it < a.max_iterations && rr > a.tol2) {
    acc = 0;
    for (int i = first; i < a.n; i += stride) {
      const double left = i > 0 ? shared_read(a.p + i - 1) : 0.0;
      const double right = i + 1 < a.n ? shared_read(a.p + i + 1) : 0.0;
      const double p = shared_read(a.p + i);
      const double q = (2.0 + a.shift) * p - left - right;
      a.ap[i] = q;
      acc += p * q;
    }
    const double alpha = rr / grid_sum(acc, set1, a.gate);
    acc = 0;
    for (int i = first; i < a.n; i += stride) {
      a.x[i] += alpha * shared_read(a.p + i);
      const double r = a.r[i] - alpha * a.ap[i];
      a.r[i] = r;
      acc += r * r;
    }
    const double next = grid_sum(acc, set0, a.gate);
    const double beta = next / rr;
    for (int i = first; i < a.n; i += stride) a.p[i] = a.r[i] + beta * shared_read(a.p + i);
    rr = next;
    ++it;
    gate_pass(a.gate);
  }
  if (first == 0) {
    a.info->iterations = it;
    a.info->residual2 = rr;
  }
}

static cudaError_t plan_blocks(cg_solver *s, cg_mode mode) {
  int device = 0, can = 0, sms = 0, per_sm = 0;
  s->blocks = 1;
  s->cooperative = 0;
  if (mode == CG_ONE_BLOCK) return cudaSuccess;
  GUARD(cudaGetDevice(&device));
  GUARD(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
  if (!can) return cudaSuccess;
  GUARD(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  GUARD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, cg_kernel, THREADS, 0));
  int wanted = (s->args.n + THREADS - 1) / THREADS;
  if (wanted > MAX_BLOCKS) wanted = MAX_BLOCKS;
  if (wanted > sms * per_sm) wanted = sms * per_sm;
  if (wanted < 1) return cudaSuccess;
  s->blocks = wanted;
  s->cooperative = 1;
  return cudaSuccess;
}

static cudaError_t set_up(cg_solver *s, int n, double shift, cg_mode mode) {
  const size_t bytes = (size_t)n * sizeof(double);
  s->args.n = n;
  s->args.shift = shift;
  GUARD(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
  GUARD(cudaMalloc(&s->b_dev, bytes));
  GUARD(cudaMalloc(&s->args.x, bytes));
  GUARD(cudaMalloc(&s->args.r, bytes));
  GUARD(cudaMalloc(&s->args.p, bytes));
  GUARD(cudaMalloc(&s->args.ap, bytes));
  GUARD(cudaMalloc(&s->args.partial, 2 * MAX_BLOCKS * sizeof(double)));
  GUARD(cudaMalloc(&s->args.gate, sizeof(grid_gate)));
  GUARD(cudaMalloc(&s->args.info, sizeof(cg_info)));
  GUARD(cudaMallocHost(&s->info_host, sizeof(cg_info)));
  GUARD(cudaMemsetAsync(s->args.gate, 0, sizeof(grid_gate), s->stream));
  s->args.b = s->b_dev;
  return plan_blocks(s, mode);
}

cudaError_t cg_create(cg_solver **out, int n, double shift, cg_mode mode) {
  cg_solver *s = (cg_solver *)calloc(1, sizeof(*s));
  if (!s) return cudaErrorMemoryAllocation;
  const cudaError_t e = set_up(s, n, shift, mode);
  if (e != cudaSuccess) {
    cg_destroy(s);
    return e;
  }
  *out = s;
  return cudaSuccess;
}

void cg_destroy(cg_solver *s) {
  if (!s) return;
  if (s->stream) {
    cudaStreamSynchronize(s->stream);
    cudaStreamDestroy(s->stream);
  }
  cudaFree(s->b_dev);
  cudaFree(s->args.x);
  cudaFree(s->args.r);
  cudaFree(s->args.p);
  cudaFree(s->args.ap);
  cudaFree(s->args.partial);
  cudaFree(s->args.gate);
  cudaFree(s->args.info);
  cudaFreeHost(s->info_host);
  free(s);
}

cudaError_t cg_begin(cg_solver *s, const double *b, double *x, double tol, int max_iterations) {
  if (s->busy) return cudaErrorNotReady;
  const size_t bytes = (size_t)s->args.n * sizeof(double);
  s->args.tol2 = tol * tol;
  s->args.max_iterations = max_iterations;
  GUARD(cudaMemcpyAsync(s->b_dev, b, bytes, cudaMemcpyHostToDevice, s->stream));
  if (s->cooperative) {
    void *params[] = {&s->args};
    GUARD(cudaLaunchCooperativeKernel((const void *)cg_kernel, dim3(s->blocks), dim3(THREADS),
                                      params, 0, s->stream));
  } else {
    cg_kernel<<<1, THREADS, 0, s->stream>>>(s->args);
    GUARD(cudaGetLastError());
  }
  GUARD(cudaMemcpyAsync(x, s->args.x, bytes, cudaMemcpyDeviceToHost, s->stream));
  GUARD(cudaMemcpyAsync(s->info_host, s->args.info, sizeof(cg_info), cudaMemcpyDeviceToHost,
                        s->stream));
  s->busy = 1;
  return cudaSuccess;
}

cudaError_t cg_finish(cg_solver *s, cg_info *info) {
  if (!s->busy) return cudaErrorInvalidValue;
  s->busy = 0;
  GUARD(cudaStreamSynchronize(s->stream));
  *info = *s->info_host;
  return cudaSuccess;
}

int cg_blocks(const cg_solver *s) { return s->blocks; }
