#pragma once
// Types of the tile decoder: jobs, lanes and the sample formats it can produce.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CODEC_CHECK(call)                                          \
  do {                                                             \
    const cudaError_t rc_ = (call);                                \
    if (rc_ != cudaSuccess) {                                      \
      std::printf("ERROR %s\n", cudaGetErrorName(rc_));            \
      std::quick_exit(std::fflush(stdout) ? 3 : 2);                \
    }                                                              \
  } while (0)

namespace codec {
enum class SampleFormat { u8, u16, f32 };

/// Runs a block of code with `sample_t` bound to the type of the format.
#define CODEC_CASE(tag, type, ...)   \
  case ::codec::SampleFormat::tag: { \
    using sample_t = type;           \
    __VA_ARGS__                      \
  } break;
#define CODEC_DISPATCH_SAMPLE(format, ...)  \
  switch (format) {                         \
    CODEC_CASE(u8, uint8_t, __VA_ARGS__)    \
    CODEC_CASE(u16, uint16_t, __VA_ARGS__)  \
    CODEC_CASE(f32, float, __VA_ARGS__)     \
  }

constexpr int kBlockSize = 64;
constexpr int kTileSamples = 64 * 1024;
struct TileJob {
  int id;
  int quality;
  bool progressive;
  SampleFormat format;
  uint32_t seed;
};

struct DecoderConfig {
  int lanes = 3;
  int packers = 2;
  int table_capacity = 16;
  int64_t baseline_ns = 2'000'000;
  int64_t progressive_ns = 80'000'000;
};

/// A stream with the scratch memory of the tile that is being decoded in it.
struct Lane {
  cudaStream_t stream = nullptr;
  int16_t* coefficients = nullptr;
  void* samples = nullptr;
};

__host__ __device__ inline int16_t coefficient_at(uint32_t seed, int i) {
  uint32_t h = seed * 2654435761u + static_cast<uint32_t>(i) * 40503u;
  h ^= h >> 15;
  return static_cast<int16_t>(1 + h % 15);
}

__host__ __device__ inline uint16_t table_value(int quality, int k) {
  return static_cast<uint16_t>(1 + (100 - quality) / 10 + (k * 7) % 11);
}
}  // namespace codec
