// Draws random batches on one stream and tests their residues on two others. The total per
// batch is compared with a recount on the host.
#include <cstdio>
#include <vector>

#include "sampler.h"

namespace {

constexpr int kBatches = 8;
constexpr int kClasses = 12;
constexpr std::size_t kWords = 1 << 15;

std::uint32_t host_word(std::uint32_t seed, std::uint32_t i) {
  std::uint32_t x = seed + i * 0x9e3779b9u;
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  x *= 0x735a2d97u;
  return x ^ (x >> 15);
}

}  // namespace

int main() {
  using rnd::check;
  cudaStream_t draw, test[2];
  check(cudaStreamCreateWithFlags(&draw, cudaStreamNonBlocking));
  for (cudaStream_t& s : test) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));

  unsigned long long* bins = nullptr;
  const std::size_t bytes = kBatches * kClasses * sizeof(*bins);
  check(cudaMalloc(&bins, bytes));
  check(cudaMemsetAsync(bins, 0, bytes, draw));

  rnd::Generator generator(2024u, draw);
  for (int b = 0; b < kBatches; ++b) {
    const rnd::Batch batch = generator.draw(kWords);
    rnd::histogram(batch, bins + b * kClasses, kClasses, test[b % 2]);
    if (b == 3) check(cudaStreamSynchronize(test[0]));
  }

  std::vector<unsigned long long> got(kBatches * kClasses), want(kBatches * kClasses);
  for (cudaStream_t s : test) check(cudaStreamSynchronize(s));
  check(cudaMemcpy(got.data(), bins, bytes, cudaMemcpyDeviceToHost));

  std::uint32_t seed = 2024u;
  for (int b = 0; b < kBatches; ++b) {
    for (std::uint32_t i = 0; i < kWords; ++i) ++want[b * kClasses + host_word(seed, i) % kClasses];
    seed = host_word(seed, 0xffffu);
  }
  long wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) wrong += got[i] != want[i];

  rnd::CachingAllocator::get().release_cached();
  check(cudaFree(bins));
  check(cudaStreamDestroy(draw));
  for (cudaStream_t s : test) check(cudaStreamDestroy(s));
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
