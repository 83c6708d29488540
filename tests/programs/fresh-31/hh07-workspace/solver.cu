#include "solver.h"

namespace relax {
namespace {

__global__ void jacobi(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = (i == 0 || i == n - 1) ? in[i] : 0.5f * (in[i - 1] + in[i + 1]);
}

}  // namespace

Solver::Solver(const SolverConfig& config)
    : config_(config), pool_(sizeof(float) * config.cells, config.temporaries), ctx_(config.queues) {
  pool_.on_pressure([this] { ctx_.quiesce(); });
}

void Solver::smooth(float* field, int sweeps, int queue) {
  cudaStream_t q = ctx_.queue(queue);
  const int n = config_.cells;
  const int blocks = (n + 255) / 256;
  Temporary<float> other(pool_, ctx_, q, n);
  for (int s = 0; s < sweeps; ++s) {
    jacobi<<<blocks, 256, 0, q>>>(field, other.get(), n);
    jacobi<<<blocks, 256, 0, q>>>(other.get(), field, n);
    check(cudaGetLastError());
  }
}

}  // namespace relax
