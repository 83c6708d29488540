#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace strata {

struct cuda_error : public std::runtime_error {
  cuda_error(cudaError_t code, char const* file, int line)
    : std::runtime_error{std::string{file} + ":" + std::to_string(line) + ": " + cudaGetErrorName(code)}, code{code} {}
  cudaError_t code;
};

#define STRATA_CUDA_TRY(call) \
  do { \
    cudaError_t const error_ = (call); \
    if (cudaSuccess != error_) { \
      cudaGetLastError(); \
      throw strata::cuda_error{error_, __FILE__, __LINE__}; \
    } \
  } while (0)

class cuda_stream_view {
 public:
  constexpr cuda_stream_view() = default;
  constexpr cuda_stream_view(cudaStream_t stream) noexcept : stream_{stream} {}
  [[nodiscard]] constexpr cudaStream_t value() const noexcept { return stream_; }
  void synchronize() const { STRATA_CUDA_TRY(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
};

inline cuda_stream_view const cuda_stream_legacy{cudaStreamLegacy};

class cuda_stream {
 public:
  cuda_stream() { STRATA_CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  cuda_stream(cuda_stream const&) = delete;
  cuda_stream& operator=(cuda_stream const&) = delete;
  ~cuda_stream() { cudaStreamDestroy(stream_); }
  [[nodiscard]] cudaStream_t value() const noexcept { return stream_; }
  operator cuda_stream_view() const noexcept { return cuda_stream_view{stream_}; }

 private:
  cudaStream_t stream_{};
};

}  // namespace strata
