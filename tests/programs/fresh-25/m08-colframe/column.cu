#include "column.h"

#include <cub/device/device_scan.cuh>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

namespace colframe {
namespace {

struct times {
  int factor;
  __host__ __device__ int operator()(int v) const { return v * factor; }
};

__global__ void validate_kernel(const int* in, int* out, std::size_t n)
{
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < 40'000'000ull);
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = in[i] < 0 ? 0 : in[i];
}

}  // namespace

column::column(std::size_t rows) : rows_(rows)
{
  require(cudaMalloc(&data_, rows * sizeof(int)));
}

column::~column()
{
  if (data_ != nullptr) cudaFree(data_);
}

void assign(column& c, const std::vector<int>& values)
{
  require(cudaMemcpy(c.data(), values.data(), c.rows() * sizeof(int), cudaMemcpyHostToDevice));
  require(cudaStreamSynchronize(cudaStreamLegacy));
}

std::vector<int> to_host(const column& c, cudaStream_t stream)
{
  std::vector<int> values(c.rows());
  require(cudaMemcpyAsync(values.data(), c.data(), c.rows() * sizeof(int),
                          cudaMemcpyDeviceToHost, stream));
  require(cudaStreamSynchronize(stream));
  return values;
}

void scaled_running_sum(const column& in, column& out, int factor, cudaStream_t stream)
{
  const std::size_t n = in.rows();
  scratch clean(n * sizeof(int), stream);
  int* const valid = static_cast<int*>(clean.get());
  validate_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(in.data(), valid, n);
  require(cudaGetLastError());

  thrust::transform(thrust::cuda::par_nosync.on(stream), valid, valid + n, valid, times{factor});

  std::size_t bytes = 0;
  require(cub::DeviceScan::InclusiveSum(nullptr, bytes, valid, out.data(), static_cast<int>(n),
                                        stream));
  scratch temporary(bytes, stream);
  require(cub::DeviceScan::InclusiveSum(temporary.get(), bytes, valid, out.data(),
                                        static_cast<int>(n), stream));
}

void scaled_running_sums(const std::vector<column>& in, std::vector<column>& out, int factor,
                         stream_pool& pool, cudaStream_t stream)
{
  pool.fork_from(stream);
  for (std::size_t i = 0; i < in.size(); ++i)
    scaled_running_sum(in[i], out[i], factor, pool.at(static_cast<int>(i)));
  pool.join_to(stream);
}

}  // namespace colframe
