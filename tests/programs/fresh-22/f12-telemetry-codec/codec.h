#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace telemetry {

#define TM_CHECK(expr)                                        \
  do {                                                        \
    const cudaError_t tm_code = (expr);                       \
    if (tm_code != cudaSuccess) {                             \
      std::printf("ERROR %s\n", cudaGetErrorName(tm_code));   \
      std::fflush(stdout);                                    \
      std::_Exit(1);                                          \
    }                                                         \
  } while (0)

/// Channels of a spacecraft come in three classes which are coded with different effort.
enum class ChannelClass : int { kHousekeeping = 0, kScience = 1, kImaging = 2 };
inline constexpr int kClasses = 3;

struct CodecConfig {
  int samples_per_class = 1 << 16;
  std::array<int, kClasses> passes{2, 6, 12};
};

/// Delta codec with one lane for each class of channels.
class Codec {
 public:
  explicit Codec(const CodecConfig& cfg);
  ~Codec();
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;

  /// Brings a frame (classes one after another) to the device.
  void load(const std::int32_t* pinned_frame, cudaStream_t stream);

  /// Computes the index of the frame in `stream` and starts the coding of all classes after it.
  void encode(cudaStream_t stream);

  /// Makes `stream` wait for the classes that were started last.
  void finish(cudaStream_t stream);

  std::vector<std::int32_t> download(ChannelClass c) const;
  std::size_t frame_samples() const noexcept { return static_cast<std::size_t>(cfg_.samples_per_class) * kClasses; }

 private:
  struct Lane {
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
    std::int32_t* coded = nullptr;
  };

  CodecConfig cfg_;
  std::array<Lane, kClasses> lanes_;
  cudaEvent_t loaded_ = nullptr;
  std::int32_t* frame_ = nullptr;
  unsigned long long* index_ = nullptr;
};

}  // namespace telemetry
