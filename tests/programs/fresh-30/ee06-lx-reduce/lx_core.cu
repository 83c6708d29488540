#include "lx_core.hpp"

namespace lx {
namespace Impl {

void throw_cuda_error(cudaError_t status, const char* call, const char* file, int line) {
  throw CudaFailure(status, std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                                cudaGetErrorString(status));
}

void load_reduce_kernels();

namespace {

__global__ void axpy_kernel(std::size_t n, double a, const double* x, double* y) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

__global__ void xpby_kernel(std::size_t n, const double* x, double b, double* y) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + b * y[i];
}

__global__ void laplace_kernel(std::size_t n, double shift, const double* x, double* y) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = (2.0 + shift) * x[i];
  if (i > 0) v -= x[i - 1];
  if (i + 1 < n) v -= x[i + 1];
  y[i] = v;
}

constexpr unsigned block_size = 256;

unsigned blocks_for(std::size_t n) { return unsigned((n + block_size - 1) / block_size); }

}  // namespace
}  // namespace Impl

void initialize() {
  using namespace Impl;
  axpy_kernel<<<1, block_size>>>(0, 0.0, nullptr, nullptr);
  xpby_kernel<<<1, block_size>>>(0, nullptr, 0.0, nullptr);
  laplace_kernel<<<1, block_size>>>(0, 0.0, nullptr, nullptr);
  LX_SAFE_CALL(cudaGetLastError());
  load_reduce_kernels();
  LX_SAFE_CALL(cudaDeviceSynchronize());
}

void axpy(const Cuda& space, double a, const View<double>& x, const View<double>& y) {
  using namespace Impl;
  axpy_kernel<<<blocks_for(x.size()), block_size, 0, space.cuda_stream()>>>(x.size(), a, x.data(),
                                                                            y.data());
  LX_SAFE_CALL(cudaGetLastError());
}

void xpby(const Cuda& space, const View<double>& x, double b, const View<double>& y) {
  using namespace Impl;
  xpby_kernel<<<blocks_for(x.size()), block_size, 0, space.cuda_stream()>>>(x.size(), x.data(), b,
                                                                            y.data());
  LX_SAFE_CALL(cudaGetLastError());
}

void laplace(const Cuda& space, double shift, const View<double>& x, const View<double>& y) {
  using namespace Impl;
  laplace_kernel<<<blocks_for(x.size()), block_size, 0, space.cuda_stream()>>>(
      x.size(), shift, x.data(), y.data());
  LX_SAFE_CALL(cudaGetLastError());
}

}  // namespace lx
