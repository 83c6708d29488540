#include "sampler.h"

namespace rnd {
namespace {

__host__ __device__ inline std::uint32_t word(std::uint32_t seed, std::uint32_t i) {
  std::uint32_t x = seed + i * 0x9e3779b9u;
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  x *= 0x735a2d97u;
  return x ^ (x >> 15);
}

__global__ void fill(std::uint32_t* out, std::size_t n, std::uint32_t seed) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    out[i] = word(seed, static_cast<std::uint32_t>(i));
}

__global__ void classify(const std::uint32_t* in, std::size_t n, unsigned long long* bins,
                         int classes, unsigned long long ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    atomicAdd(&bins[in[i] % classes], 1ull);
}

}  // namespace

Batch Generator::draw(std::size_t count) {
  auto storage = CachingAllocator::get().allocate(count * sizeof(std::uint32_t), stream_);
  fill<<<16, 256, 0, stream_>>>(static_cast<std::uint32_t*>(storage.get()), count, state_);
  check(cudaGetLastError());
  state_ = word(state_, 0xffffu);

  cudaEvent_t raw;
  check(cudaEventCreateWithFlags(&raw, cudaEventDisableTiming));
  std::shared_ptr<CUevent_st> ready(raw, [](cudaEvent_t e) { check(cudaEventDestroy(e)); });
  check(cudaEventRecord(ready.get(), stream_));
  return Batch(std::move(storage), count, std::move(ready));
}

void histogram(const Batch& batch, unsigned long long* bins, int classes, cudaStream_t stream) {
  const std::uint32_t* words = batch.on(stream);
  classify<<<16, 256, 0, stream>>>(words, batch.size(), bins, classes, 25'000'000ull);
  check(cudaGetLastError());
}

}  // namespace rnd
