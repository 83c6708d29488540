#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "profiler.h"

namespace codec {

// Encodes the planes of a picture side by side on helper streams. To the caller the whole
// picture is one operation of the stream that is passed in.
class Encoder {
 public:
  static constexpr int kPlanes = 3;

  Encoder(std::size_t samples, unsigned long long plane_ns);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  void encode(const std::int16_t* picture, std::int16_t* coded, cudaStream_t stream);

 private:
  std::size_t samples_;
  unsigned long long plane_ns_;
  std::array<cudaStream_t, kPlanes> helpers_{};
  std::array<cudaEvent_t, kPlanes> finished_{};
  cudaEvent_t start_ = nullptr;
};

}  // namespace codec
