#include "lattice.h"
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

static field_set_t F;
static cudaStream_t s_main;

__global__ void fill(double *f, int n, double v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f[i] = v;
}

__device__ __forceinline__ int fwd(int i) { return (i + 1) % VOLUME; }
__device__ __forceinline__ int bwd(int i) { return (i + VOLUME - 1) % VOLUME; }

__global__ void cheby_term(const double *in, const double *src, double *out, double c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5 * (in[fwd(i)] + in[bwd(i)]) + c * src[i];
}

// k-th expansion coefficient of 1/x on [lmin, lmax], by Gauss-Chebyshev quadrature.
static double coefficient(const cheby_param_t &p, int k) {
  double s = 0.0;
  for (int j = 0; j < p.quad_points; ++j) {
    double th = M_PI * (j + 0.5) / p.quad_points;
    double x = 0.5 * (p.lmax + p.lmin) + 0.5 * (p.lmax - p.lmin) * cos(th);
    s += cos(k * th) / x;
  }
  return 2.0 * s / p.quad_points;
}

static double coeff_sum = 0.0;

static cudaGraphExec_t build_smear(const cheby_param_t &p) {
  cudaGraph_t g;
  cudaGraphExec_t ge;
  dim3 b(256), gr((VOLUME + 255) / 256);
  double *a = F.phi, *t = F.tmp;
  QCD_CHECK(cudaStreamBeginCapture(s_main, cudaStreamCaptureModeGlobal));
  for (int k = 0; k < p.order; ++k) {
    double c = coefficient(p, k);
    coeff_sum += c;
    cheby_term<<<gr, b, 0, s_main>>>(a, F.src, t, c, VOLUME);
    std::swap(a, t);
  }
  QCD_CHECK(cudaStreamEndCapture(s_main, &g));
  QCD_CHECK(cudaGraphInstantiate(&ge, g, 0));
  QCD_CHECK(cudaGraphDestroy(g));
  return ge;
}

int main() {
  cheby_param_t par = cheby_defaults();
  size_t bytes = VOLUME * sizeof(double);
  QCD_CHECK(cudaSetDevice(0));
  QCD_CHECK(cudaStreamCreateWithFlags(&s_main, cudaStreamNonBlocking));
  QCD_CHECK(cudaMalloc(&F.phi, bytes));
  QCD_CHECK(cudaMalloc(&F.tmp, bytes));
  QCD_CHECK(cudaMalloc(&F.src, bytes));
  fill<<<(VOLUME + 255) / 256, 256, 0, s_main>>>(F.phi, VOLUME, 1.0);
  fill<<<(VOLUME + 255) / 256, 256, 0, s_main>>>(F.tmp, VOLUME, 0.0);
  fill<<<(VOLUME + 255) / 256, 256, 0, s_main>>>(F.src, VOLUME, 0.25);
  cheby_term<<<1, 256, 0, s_main>>>(F.phi, F.src, F.tmp, 0.0, 0);
  QCD_CHECK(cudaGetLastError());
  QCD_CHECK(cudaStreamSynchronize(s_main));

  Monitor mon;
  mon.start(F.src);
  while (mon.samples.load() < 2) std::this_thread::yield();

  cudaGraphExec_t smear = build_smear(par);
  for (int c = 0; c < par.configs; ++c) QCD_CHECK(cudaGraphLaunch(smear, s_main));
  QCD_CHECK(cudaStreamSynchronize(s_main));
  mon.stop();

  std::vector<double> h(VOLUME);
  QCD_CHECK(cudaMemcpy(h.data(), F.phi, bytes, cudaMemcpyDeviceToHost));
  double want = 1.0 + par.configs * 0.25 * coeff_sum;
  long bad = 0;
  for (int i = 0; i < VOLUME; ++i)
    if (fabs(h[i] - want) > 1e-9 * fabs(want)) ++bad;
  if (fabs(mon.last - 0.0625) > 1e-12) ++bad;

  QCD_CHECK(cudaGraphExecDestroy(smear));
  QCD_CHECK(cudaFree(F.phi));
  QCD_CHECK(cudaFree(F.tmp));
  QCD_CHECK(cudaFree(F.src));
  QCD_CHECK(cudaStreamDestroy(s_main));
  printf("norm %.6f after %d samples\n", mon.last, mon.samples.load());
  if (bad)
    printf("WRONG %ld\n", bad);
  else
    printf("DONE\n");
  return 0;
}
