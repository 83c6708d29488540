#pragma once
// Host/device request ring of the resident scorer.
#include <cuda_runtime.h>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace scoring {
[[noreturn]] inline void fail(cudaError_t code, const char* what) {
  std::fprintf(stderr, "scoring: %s: %s\n", what, cudaGetErrorString(code));
  std::printf("ERROR %s\n", cudaGetErrorName(code));
  std::fflush(stdout);
  std::_Exit(2);
}

#define SCORING_TRY(call)                                        \
  do {                                                           \
    if (cudaError_t e_ = (call)) ::scoring::fail(e_, #call);     \
  } while (0)

constexpr int kFeatures = 8;
constexpr int kRingSlots = 16;
constexpr int kTableSize = 1 << 18;
constexpr int kBanks = 2;

/// One slot of the ring. `posted` and `answered` carry the ticket number plus one.
struct alignas(64) Slot {
  uint32_t posted;
  uint32_t answered;
  uint32_t bank;
  uint32_t features[kFeatures];
  float score;
};

struct Mailbox {
  uint32_t stop;
  uint32_t started;
  Slot slots[kRingSlots];
};

struct ServerOptions {
  int threads = 128;
  bool high_priority = true;
  unsigned stream_flags = cudaStreamDefault;
};

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "");

inline std::atomic<uint32_t>& as_atomic(uint32_t& word) {
  return reinterpret_cast<std::atomic<uint32_t>&>(word);
}
}  // namespace scoring
