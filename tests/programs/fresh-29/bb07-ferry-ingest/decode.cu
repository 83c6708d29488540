#include "ferry.h"

namespace ferry {

namespace {

__global__ void xor_kernel(std::uint8_t* dst, const std::uint8_t* raw, std::size_t n, std::uint8_t key, unsigned long long settle_ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  } while (t - t0 < settle_ns);
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
    dst[i] = raw[i] ^ key;
}

}  // namespace

void XorDecoder::decode(std::uint8_t* dst, const std::uint8_t* raw, std::size_t bytes, cudaStream_t stream) {
  xor_kernel<<<32, 256, 0, stream>>>(dst, raw, bytes, key_, settle_us_ * 1000ull);
  check(cudaGetLastError());
}

}  // namespace ferry
