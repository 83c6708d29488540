#include "column.hpp"

#include <cub/device/device_scan.cuh>

namespace tabula {
namespace {

constexpr int threads = 256;

inline int blocks_for(std::size_t rows) { return static_cast<int>((rows + threads - 1) / threads); }

__global__ void widen(float const* in, double* out, std::size_t rows)
{
  std::size_t const i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < rows) out[i] = in[i];
}

__global__ void window_mean(double const* totals, double* out, std::size_t rows, int window)
{
  std::size_t const i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i >= rows) return;
  std::size_t const w = static_cast<std::size_t>(window);
  double const low    = i >= w ? totals[i - w] : 0.0;
  out[i]              = (totals[i] - low) / static_cast<double>(i + 1 < w ? i + 1 : w);
}

__global__ void affine_kernel(float const* in, double* out, std::size_t rows, double a, double b)
{
  std::size_t const i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < rows) out[i] = a * in[i] + b;
}

__global__ void subtract_from(float const* in, double* inout, std::size_t rows)
{
  std::size_t const i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < rows) inout[i] = in[i] - inout[i];
}

struct prefix_sums {
  device_buffer totals;
  std::size_t rows;
};

prefix_sums make_prefix(column<float> const& input, cudaStream_t stream, mr::device_memory_resource* mr)
{
  std::size_t const rows = input.size();
  device_buffer totals{rows * sizeof(double), stream, mr};
  widen<<<blocks_for(rows), threads, 0, stream>>>(input.data(), totals.as<double>(), rows);

  std::size_t temp_bytes = 0;
  check(cub::DeviceScan::InclusiveSum(
    nullptr, temp_bytes, totals.as<double>(), totals.as<double>(), rows, stream));
  device_buffer temp{temp_bytes, stream, mr};
  check(cub::DeviceScan::InclusiveSum(
    temp.as<void>(), temp_bytes, totals.as<double>(), totals.as<double>(), rows, stream));
  return {std::move(totals), rows};
}

}  // namespace

column<double> rolling_mean(column<float> const& input,
                            int window,
                            cudaStream_t stream,
                            mr::device_memory_resource* mr)
{
  auto const prefix = make_prefix(input, stream, mr);
  column<double> result(prefix.rows, stream, mr);
  window_mean<<<blocks_for(prefix.rows), threads, 0, stream>>>(
    prefix.totals.as<double>(), result.data(), prefix.rows, window);
  check(cudaGetLastError());
  return result;
}

column<double> affine(column<float> const& input,
                      double a,
                      double b,
                      cudaStream_t stream,
                      mr::device_memory_resource* mr)
{
  column<double> result(input.size(), stream, mr);
  affine_kernel<<<blocks_for(input.size()), threads, 0, stream>>>(
    input.data(), result.data(), input.size(), a, b);
  check(cudaGetLastError());
  return result;
}

column<double> detrend(column<float> const& input,
                       int window,
                       cudaStream_t stream,
                       mr::device_memory_resource* mr)
{
  auto result = rolling_mean(input, window, stream, mr);
  subtract_from<<<blocks_for(input.size()), threads, 0, stream>>>(
    input.data(), result.data(), input.size());
  check(cudaGetLastError());
  return result;
}

}  // namespace tabula
