#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <stdexcept>

namespace tabula {

using size_type = std::int32_t;
using valid_type = std::uint8_t;

class cuda_error : public std::runtime_error {
 public:
  explicit cuda_error(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)), code_(code) {}
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t code) {
  if (code != cudaSuccess) {
    cudaGetLastError();
    throw cuda_error(code);
  }
}

/// A stream that belongs to somebody else.
class stream_view {
 public:
  constexpr stream_view() noexcept = default;
  constexpr stream_view(cudaStream_t stream) noexcept : stream_(stream) {}

  constexpr cudaStream_t value() const noexcept { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
};

}  // namespace tabula
