#include "mapper.h"

__global__ void seed(const uint8_t* reads, uint32_t* keys, SeedParams p) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= READS) return;
  const uint8_t* read = reads + r * READ_LEN;
  uint32_t k = p.add;
  for (int i = 0; i < READ_LEN; ++i) {
    uint32_t b = p.reverse ? 3u - read[READ_LEN - 1 - i] : read[i];
    k = k * p.mult + b;
  }
  long long t0 = clock64();
  while (clock64() - t0 < 2000000) {
  }
  keys[r] = k;
}

__global__ void lookup(const uint32_t* index, const uint32_t* fwd, const uint32_t* rev, Hit* hits) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < READS) hits[r] = Hit{index[fwd[r] % BUCKETS], index[rev[r] % BUCKETS]};
}

void enqueue_seed(CUstream s, CUdeviceptr reads, CUdeviceptr keys, const SeedParams& p) {
  SeedParams local = p;
  seed<<<READS / 128, 128, 0, s>>>(reinterpret_cast<const uint8_t*>(reads), reinterpret_cast<uint32_t*>(keys), local);
}

void enqueue_lookup(CUstream s, CUdeviceptr index, CUdeviceptr fwd, CUdeviceptr rev, CUdeviceptr hits) {
  lookup<<<READS / 128, 128, 0, s>>>(reinterpret_cast<const uint32_t*>(index), reinterpret_cast<const uint32_t*>(fwd),
                                     reinterpret_cast<const uint32_t*>(rev), reinterpret_cast<Hit*>(hits));
}
