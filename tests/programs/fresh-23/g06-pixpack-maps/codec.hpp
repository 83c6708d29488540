#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace pixpack {

class cuda_failure : public std::runtime_error {
 public:
  explicit cuda_failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_failure(e);
}

/// Grey samples in device memory; width and height are multiples of eight.
struct picture {
  const std::uint8_t* pixels = nullptr;
  int width = 0;
  int height = 0;
  std::size_t pitch = 0;
};

/// How coarse a picture may become, and how much coarser away from its centre.
struct rate {
  float base_step = 8.0f;
  float falloff = 0.0f;
};

class encoder {
 public:
  virtual ~encoder() = default;

  /// Transforms and quantises a picture into width x height coefficients in device memory, block
  /// after block. The work is enqueued on `stream`. Two pictures may be under way at a time; a
  /// further call waits on the host for the older one.
  virtual void encode(const picture& in, const rate& r, std::int16_t* coefficients, cudaStream_t stream) = 0;

  virtual const char* profile() const noexcept = 0;
};

/// Profiles are "walsh" and "haar".
std::unique_ptr<encoder> make_encoder(const std::string& profile, int max_width, int max_height);

}  // namespace pixpack
