// Implicit heat diffusion on many rods: every time step assembles tridiagonal systems on the
// simulation's stream and lets tds solve them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tds.h"

static const int kRods = 2000;
static const int kRows = 48;
static const int kSteps = 4;

#define RUN(expr)                                          \
  do {                                                     \
    cudaError_t e_ = (expr);                               \
    if (e_ != cudaSuccess) {                               \
      std::printf("ERROR %s\n", cudaGetErrorName(e_));     \
      std::exit(0);                                        \
    }                                                      \
  } while (0)

#define SOLVER(h, expr)                                                  \
  do {                                                                   \
    if ((expr) != TDS_OK) {                                              \
      std::printf("ERROR %s\n", cudaGetErrorName(tds_cuda_error(h)));    \
      std::exit(0);                                                      \
    }                                                                    \
  } while (0)

struct coeffs {
  float a, b, c, d;
};

__host__ __device__ inline coeffs rod_coeffs(int step, int row, int rod) {
  float k = 0.2f + 0.1f * ((rod * 13 + row * 7 + step * 29) % 10);
  coeffs q;
  q.a = -k;
  q.c = -0.5f * k;
  q.b = 2.f + 2.f * k + 0.5f * step;
  q.d = static_cast<float>((row * 3 + rod + step * 101) % 64) - 20.f;
  return q;
}

__global__ void assemble(float* a, float* b, float* c, float* d, int rods, int rows, int step, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rods * rows; i += gridDim.x * blockDim.x) {
    coeffs q = rod_coeffs(step, i / rods, i % rods);
    a[i] = q.a;
    b[i] = q.b;
    c[i] = q.c;
    d[i] = q.d;
  }
}

static long residual_errors(int step, const std::vector<float>& x) {
  long wrong = 0;
  for (int s = 0; s < kRods; ++s)
    for (int i = 0; i < kRows; ++i) {
      coeffs q = rod_coeffs(step, i, s);
      double r = q.b * (double)x[i * kRods + s] - q.d;
      if (i > 0) r += q.a * (double)x[(i - 1) * kRods + s];
      if (i + 1 < kRows) r += q.c * (double)x[(i + 1) * kRods + s];
      if (!(std::fabs(r) < 1e-2)) ++wrong;
    }
  return wrong;
}

int main() {
  cudaStream_t sim;
  RUN(cudaStreamCreateWithFlags(&sim, cudaStreamNonBlocking));
  const size_t bytes = sizeof(float) * kRods * kRows;
  float* buf[5];
  for (float*& p : buf) RUN(cudaMalloc(&p, bytes));
  std::vector<float> x(kRods * kRows);

  tds_handle solver = nullptr;
  tds_config cfg = {kRods, kRows, 4};
  SOLVER(solver, tds_create(&solver, &cfg));
  SOLVER(solver, tds_set_stream(solver, sim));
  tds_matrix m = {buf[0], buf[1], buf[2], buf[3]};

  long wrong = 0;
  for (int step = 0; step < kSteps; ++step) {
    assemble<<<64, 256, 0, sim>>>(buf[0], buf[1], buf[2], buf[3], kRods, kRows, step, 80000000LL);
    RUN(cudaGetLastError());
    SOLVER(solver, tds_solve(solver, &m, buf[4]));
    RUN(cudaMemcpyAsync(x.data(), buf[4], bytes, cudaMemcpyDeviceToHost, sim));
    RUN(cudaStreamSynchronize(sim));
    wrong += residual_errors(step, x);
  }

  SOLVER(solver, tds_destroy(solver));
  for (float* p : buf) RUN(cudaFree(p));
  RUN(cudaStreamDestroy(sim));
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
