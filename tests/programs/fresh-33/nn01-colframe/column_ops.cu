#include "column.hpp"

namespace cf {
namespace {

constexpr int block_size = 256;

int grid_for(size_type n)
{
  auto const blocks = (n + block_size - 1) / block_size;
  return blocks < 512 ? blocks : 512;
}

__global__ void sequence_kernel(double* out, size_type n, double init, double step)
{
  for (size_type i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = init + step * i;
}

__global__ void sum_kernel(double* out, double const* x, size_type n)
{
  double acc = 0;
  for (size_type i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    acc += x[i];
  for (int offset = 16; offset > 0; offset /= 2)
    acc += __shfl_down_sync(0xffffffffu, acc, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, acc);
}
}  // namespace

column sequence(size_type size, double init, double step, stream_view stream, device_memory_resource* mr)
{
  column out{size, stream, mr};
  sequence_kernel<<<grid_for(size), block_size, 0, stream>>>(out.mutable_data(), size, init, step);
  CF_CUDA_TRY(cudaGetLastError());
  return out;
}

scalar sum(column_view x, stream_view stream, device_memory_resource* mr)
{
  scalar out{stream, mr};
  CF_CUDA_TRY(cudaMemsetAsync(out.data(), 0, sizeof(double), stream));
  sum_kernel<<<grid_for(x.size()), block_size, 0, stream>>>(out.data(), x.data(), x.size());
  CF_CUDA_TRY(cudaGetLastError());
  return out;
}
}  // namespace cf
