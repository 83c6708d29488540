#ifndef LATTICE_H
#define LATTICE_H
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>

#define QCD_CHECK(stmt)                                          \
  do {                                                           \
    cudaError_t e__ = (stmt);                                    \
    if (e__ != cudaSuccess) {                                    \
      printf("ERROR %s\n", cudaGetErrorName(e__));               \
      fflush(stdout);                                            \
      _Exit(3);                                                  \
    }                                                            \
  } while (0)

#define LX 16
#define LT 32
#define VOLUME (LX * LX * LX * LT)

typedef struct {
  double *phi;
  double *tmp;
  double *src;
} field_set_t;

typedef struct {
  int order;
  int quad_points;
  int configs;
  double lmin, lmax;
} cheby_param_t;

static inline cheby_param_t cheby_defaults(void) {
  cheby_param_t p;
  p.order = 24;
  p.quad_points = 200000;
  p.configs = 6;
  p.lmin = 0.1;
  p.lmax = 8.0;
  return p;
}

// Samples the plaquette-like norm of a field at regular intervals.
struct Monitor {
  std::thread th;
  std::atomic<bool> run{false};
  std::atomic<int> samples{0};
  const double *field = nullptr;
  cudaStream_t stream = nullptr;
  double last = 0.0;
  void start(const double *f);
  void stop();
  void body();
};

__global__ void norm_partial(const double *f, double *part, int n);

#endif
