#pragma once
#include <cuda.h>

#include <cstdint>

enum { READS = 2048, READ_LEN = 64, BUCKETS = 4096 };

struct SeedParams {
  uint32_t mult;
  uint32_t add;
  int reverse;
};

struct Hit {
  uint32_t fwd;
  uint32_t rev;
};

// Enqueue only; defined in kernels.cu.
void enqueue_seed(CUstream s, CUdeviceptr reads, CUdeviceptr keys, const SeedParams& p);
void enqueue_lookup(CUstream s, CUdeviceptr index, CUdeviceptr fwd, CUdeviceptr rev, CUdeviceptr hits);

inline uint32_t base_code(const SeedParams& p, const uint8_t* read) {
  uint32_t k = p.add;
  for (int i = 0; i < READ_LEN; ++i) {
    uint32_t b = p.reverse ? 3u - read[READ_LEN - 1 - i] : read[i];
    k = k * p.mult + b;
  }
  return k;
}
