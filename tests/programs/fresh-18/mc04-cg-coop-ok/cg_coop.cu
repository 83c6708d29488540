// Conjugate gradient in one cooperative kernel (2D Laplacian), with host snapshots of the iterate.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cg = cooperative_groups;

#define ERR(x)                                                               \
  do {                                                                       \
    cudaError_t e = (x);                                                     \
    if (e != cudaSuccess) {                                                  \
      fprintf(stderr, "error %s line %d\n", cudaGetErrorString(e), __LINE__); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

struct Mailbox {
  volatile int reached;   /* written by the kernel: snapshot number */
  volatile int released;  /* written by the host: snapshot taken    */
  volatile int finished;
  volatile int iterations;
};

struct Problem {
  int nx, ny, n;
  float *x, *r, *p, *q, *dots;
};

__device__ float lap(const float* v, int i, int nx, int ny) {
  int c = i % nx, l = i / nx;
  float s = 4.f * v[i];
  if (c > 0) s -= v[i - 1];
  if (c < nx - 1) s -= v[i + 1];
  if (l > 0) s -= v[i - nx];
  if (l < ny - 1) s -= v[i + nx];
  return s;
}

__device__ void dot_add(float* out, float v) {
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}

/* dots: [0] p.q  [1] rr even  [2] rr odd */
__global__ void solve(Problem P, Mailbox* box, int max_it, int snap_every, float tol) {
  cg::grid_group grid = cg::this_grid();
  const int t0 = grid.thread_rank(), dt = grid.size();
  int cur = 1, it = 0, snaps = 0;
  float loc = 0;
  for (int i = t0; i < P.n; i += dt) {
    P.x[i] = 0.f;
    P.r[i] = P.p[i] = 1.f;
    loc += 1.f;
  }
  dot_add(&P.dots[cur], loc);
  grid.sync();
  while (it < max_it && P.dots[cur] > tol) {
    loc = 0;
    for (int i = t0; i < P.n; i += dt) {
      P.q[i] = lap(P.p, i, P.nx, P.ny);
      loc += P.q[i] * P.p[i];
    }
    dot_add(&P.dots[0], loc);
    grid.sync();
    const float rr = P.dots[cur], alpha = rr / P.dots[0];
    loc = 0;
    for (int i = t0; i < P.n; i += dt) {
      P.x[i] += alpha * P.p[i];
      P.r[i] -= alpha * P.q[i];
      loc += P.r[i] * P.r[i];
    }
    dot_add(&P.dots[3 - cur], loc);
    grid.sync();
    const float beta = P.dots[3 - cur] / rr;
    for (int i = t0; i < P.n; i += dt) P.p[i] = P.r[i] + beta * P.p[i];
    grid.sync();
    if (t0 == 0) P.dots[0] = P.dots[cur] = 0.f;
    cur = 3 - cur;
    ++it;
    if (snap_every && it % snap_every == 0) {
      ++snaps;
      __threadfence_system();
      grid.sync();
      if (t0 == 0) {
        box->reached = snaps;
        __threadfence_system();
        while (box->released < snaps) {
        }
      }
    }
    grid.sync();
  }
  if (t0 == 0) {
    box->iterations = it;
    __threadfence_system();
    box->finished = 1;
  }
}

struct Solver {
  Problem P;
  Mailbox* box;
  float* h_x;
  cudaStream_t run, io;
};

static void take_snapshot(Solver* s, int number) {
  double norm = 0;
  ERR(cudaMemcpyAsync(s->h_x, s->P.x, s->P.n * sizeof(float), cudaMemcpyDeviceToHost, s->io));
  ERR(cudaStreamSynchronize(s->io));
  for (int i = 0; i < s->P.n; ++i) norm += double(s->h_x[i]) * s->h_x[i];
  printf("snapshot %d |x| = %.6e\n", number, sqrt(norm));
}

static void monitor(Solver* s) {
  int seen = 0;
  while (!s->box->finished) {
    int now = s->box->reached;
    if (now == seen) continue;
    std::atomic_thread_fence(std::memory_order_acquire);
    take_snapshot(s, now);
    seen = now;
    s->box->released = now;
  }
}

int main(int argc, char** argv) {
  Solver s;
  int max_it = 400, snap = 50, nx = 256, ny = 256, sms = 0, per = 0;
  float tol = 1e-4f;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--snap")) snap = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--iters")) max_it = atoi(argv[i + 1]);
  }
  s.P.nx = nx, s.P.ny = ny, s.P.n = nx * ny;
  for (float** p : {&s.P.x, &s.P.r, &s.P.p, &s.P.q}) ERR(cudaMalloc(p, s.P.n * sizeof(float)));
  ERR(cudaMalloc(&s.P.dots, 4 * sizeof(float)));
  ERR(cudaHostAlloc((void**)&s.box, sizeof(Mailbox), cudaHostAllocMapped));
  memset((void*)s.box, 0, sizeof(Mailbox));
  ERR(cudaMallocHost(&s.h_x, s.P.n * sizeof(float)));
  ERR(cudaStreamCreateWithFlags(&s.run, cudaStreamNonBlocking));
  ERR(cudaStreamCreateWithFlags(&s.io, cudaStreamNonBlocking));
  ERR(cudaMemsetAsync(s.P.dots, 0, 4 * sizeof(float), s.run));
  ERR(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  ERR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, solve, 256, 0));
  Mailbox* dbox;
  ERR(cudaHostGetDevicePointer((void**)&dbox, s.box, 0));
  void* args[] = {&s.P, &dbox, &max_it, &snap, &tol};
  ERR(cudaLaunchCooperativeKernel((void*)solve, dim3(sms * std::min(per, 2)), dim3(256), args, 0, s.run));
  monitor(&s);
  ERR(cudaStreamSynchronize(s.run));
  printf("finished after %d iterations\n", s.box->iterations);
  for (float* p : {s.P.x, s.P.r, s.P.p, s.P.q, s.P.dots}) cudaFree(p);
  cudaFreeHost((void*)s.box);
  cudaFreeHost(s.h_x);
  cudaStreamDestroy(s.run);
  cudaStreamDestroy(s.io);
  return 0;
}
