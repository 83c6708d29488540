// rill: stream-ordered device memory. Streams, errors and small helpers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace rill {

struct cuda_error : std::runtime_error {
  cuda_error(cudaError_t status, char const* what, char const* file, unsigned line)
    : std::runtime_error{std::string{file} + ":" + std::to_string(line) + ": " + what + ": " +
                         cudaGetErrorString(status)},
      code{status}
  {
  }
  cudaError_t code;
};

struct out_of_memory : std::bad_alloc {
  char const* what() const noexcept override { return "rill: pool exhausted"; }
};

struct logic_error : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace rill

#define RILL_CUDA_TRY(call)                                               \
  do {                                                                    \
    cudaError_t const rill_status_ = (call);                              \
    if (rill_status_ != cudaSuccess) {                                    \
      cudaGetLastError();                                                 \
      throw rill::cuda_error{rill_status_, #call, __FILE__, __LINE__};    \
    }                                                                     \
  } while (0)

#define RILL_NOEXCEPT_CUDA(call) static_cast<void>(call)

#define RILL_EXPECTS(cond, reason) \
  ((cond) ? static_cast<void>(0) : throw rill::logic_error{reason})

namespace rill {

inline constexpr std::size_t allocation_alignment = 256;

constexpr std::size_t align_up(std::size_t value, std::size_t alignment) noexcept
{
  return (value + alignment - 1) / alignment * alignment;
}

/// Non-owning strongly typed wrapper of a CUDA stream.
class stream_view {
 public:
  constexpr stream_view() noexcept = default;
  constexpr stream_view(cudaStream_t stream) noexcept : stream_{stream} {}
  stream_view(int)            = delete;
  stream_view(std::nullptr_t) = delete;

  [[nodiscard]] constexpr cudaStream_t value() const noexcept { return stream_; }
  constexpr operator cudaStream_t() const noexcept { return stream_; }

  void synchronize() const { RILL_CUDA_TRY(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
};

inline bool operator==(stream_view lhs, stream_view rhs) { return lhs.value() == rhs.value(); }
inline bool operator!=(stream_view lhs, stream_view rhs) { return !(lhs == rhs); }

/// Owning stream, created with cudaStreamNonBlocking.
class stream {
 public:
  stream() { RILL_CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~stream()
  {
    if (stream_ != nullptr) { RILL_NOEXCEPT_CUDA(cudaStreamDestroy(stream_)); }
  }
  stream(stream&& other) noexcept : stream_{std::exchange(other.stream_, nullptr)} {}
  stream& operator=(stream&&)      = delete;
  stream(stream const&)            = delete;
  stream& operator=(stream const&) = delete;

  [[nodiscard]] stream_view view() const noexcept { return stream_view{stream_}; }
  operator stream_view() const noexcept { return view(); }
  void synchronize() const { view().synchronize(); }

 private:
  cudaStream_t stream_{};
};

}  // namespace rill
