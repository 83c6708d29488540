#include "filters.hpp"

namespace strata {
namespace {

__device__ void refine_for(unsigned long long ns)
{
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
}

__global__ void gradient_kernel(int const* in, int* grad, int n)
{
  refine_for(40'000'000ull);
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { grad[i] = in[(i + 1) % n] - in[i]; }
}

__global__ void integrate_kernel(int const* in, int const* grad, int* out, int n)
{
  refine_for(60'000'000ull);
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[i] = in[i] + 2 * grad[i]; }
}

}  // namespace

void sharpen(device_buffer<int> const& in, device_buffer<int>& out, cudaStream_t stream,
             memory_resource* mr)
{
  int const n      = static_cast<int>(in.size());
  int const blocks = (n + 255) / 256;

  device_buffer<int> grad(in.size(), stream, mr);
  gradient_kernel<<<blocks, 256, 0, stream>>>(in.data(), grad.data(), n);
  STRATA_TRY(cudaGetLastError());
  integrate_kernel<<<blocks, 256, 0, stream>>>(in.data(), grad.data(), out.data(), n);
  STRATA_TRY(cudaGetLastError());
}

}  // namespace strata
