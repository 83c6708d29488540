#pragma once

#include <cuda_runtime_api.h>

#include <sstream>
#include <stdexcept>

namespace thx {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

#define THX_CUDA_CHECK(EXPR)                                                        \
  do {                                                                              \
    const cudaError_t __err = EXPR;                                                 \
    if (__err != cudaSuccess) {                                                     \
      (void)cudaGetLastError();                                                     \
      std::ostringstream __oss;                                                     \
      __oss << "CUDA error: " << cudaGetErrorString(__err) << " (" << __FILE__      \
            << ":" << __LINE__ << ")";                                              \
      throw ::thx::Error(__oss.str());                                              \
    }                                                                               \
  } while (0)

#define THX_CHECK(cond, msg)             \
  do {                                   \
    if (!(cond)) throw ::thx::Error(msg); \
  } while (0)

/// Stream that operators of this thread launch on.
cudaStream_t getCurrentStream() noexcept;
void setCurrentStream(cudaStream_t s) noexcept;

struct StreamGuard {
  explicit StreamGuard(cudaStream_t s) : prev_(getCurrentStream()) { setCurrentStream(s); }
  ~StreamGuard() { setCurrentStream(prev_); }

 private:
  cudaStream_t prev_;
};

/// Exchanges the thread's interaction mode with captures.
struct StreamCaptureModeGuard {
  explicit StreamCaptureModeGuard(cudaStreamCaptureMode desired) : mode_(desired) {
    THX_CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode_));
  }
  ~StreamCaptureModeGuard() { (void)cudaThreadExchangeStreamCaptureMode(&mode_); }

 private:
  cudaStreamCaptureMode mode_;
};

} // namespace thx
