#pragma once

#include "error.hpp"

#include <cuda_runtime_api.h>

namespace lrm {

/// Strongly typed, non-owning wrapper of a CUDA stream.
class cuda_stream_view {
 public:
  constexpr cuda_stream_view()                                   = default;
  constexpr cuda_stream_view(cuda_stream_view const&)            = default;
  constexpr cuda_stream_view& operator=(cuda_stream_view const&) = default;
  cuda_stream_view(int)                                          = delete;
  cuda_stream_view(std::nullptr_t)                               = delete;

  constexpr cuda_stream_view(cudaStream_t stream) noexcept : stream_{stream} {}

  [[nodiscard]] constexpr cudaStream_t value() const noexcept { return stream_; }
  constexpr operator cudaStream_t() const noexcept { return stream_; }

  void synchronize() const { LRM_CUDA_TRY(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
};

inline bool operator==(cuda_stream_view a, cuda_stream_view b) { return a.value() == b.value(); }
inline bool operator!=(cuda_stream_view a, cuda_stream_view b) { return !(a == b); }

static constexpr cuda_stream_view cuda_stream_default{};

/// Owning stream; created non-blocking.
class cuda_stream {
 public:
  cuda_stream() { LRM_CUDA_TRY(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
  ~cuda_stream() { LRM_ASSERT_CUDA_SUCCESS(cudaStreamDestroy(s_)); }
  cuda_stream(cuda_stream const&)            = delete;
  cuda_stream& operator=(cuda_stream const&) = delete;

  [[nodiscard]] cuda_stream_view view() const noexcept { return cuda_stream_view{s_}; }
  operator cuda_stream_view() const noexcept { return view(); }
  void synchronize() const { view().synchronize(); }

 private:
  cudaStream_t s_{};
};

}  // namespace lrm
