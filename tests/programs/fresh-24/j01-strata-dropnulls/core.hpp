#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>

namespace strata {

using size_type = std::int32_t;
using mask_word = std::uint32_t;

inline constexpr size_type unknown_nulls  = -1;
inline constexpr size_type bits_per_word = 32;

struct cuda_failure : std::runtime_error {
  cuda_failure(cudaError_t c, char const* where)
    : std::runtime_error(std::string(where) + ": " + cudaGetErrorName(c)), code(c)
  {
  }
  cudaError_t code;
};

#define STRATA_TRY(expr)                                                  \
  do {                                                                    \
    cudaError_t const strata_rc = (expr);                                 \
    if (strata_rc != cudaSuccess) throw ::strata::cuda_failure(strata_rc, #expr); \
  } while (0)

/// Non-owning reference to a CUDA stream.
class stream_view {
 public:
  constexpr stream_view() noexcept = default;
  constexpr stream_view(cudaStream_t s) noexcept : stream_(s) {}
  cudaStream_t value() const noexcept { return stream_; }
  void synchronize() const { STRATA_TRY(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
};

inline stream_view default_stream() noexcept { return stream_view{}; }

/// Stream-ordered storage; released in the order of the stream it was made with.
class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(std::size_t bytes, stream_view stream) : bytes_(bytes), stream_(stream)
  {
    if (bytes_) STRATA_TRY(cudaMallocAsync(&ptr_, bytes_, stream_.value()));
  }
  device_buffer(device_buffer&& o) noexcept { swap(o); }
  device_buffer& operator=(device_buffer&& o) noexcept
  {
    swap(o);
    return *this;
  }
  ~device_buffer()
  {
    if (ptr_) cudaFreeAsync(ptr_, stream_.value());
  }

  void* data() const noexcept { return ptr_; }
  std::size_t size() const noexcept { return bytes_; }

 private:
  void swap(device_buffer& o) noexcept
  {
    std::swap(ptr_, o.ptr_);
    std::swap(bytes_, o.bytes_);
    std::swap(stream_, o.stream_);
  }
  void* ptr_{};
  std::size_t bytes_{};
  stream_view stream_{};
};

constexpr size_type words_for(size_type bits) { return (bits + bits_per_word - 1) / bits_per_word; }

/// A nullable column of float.
class column {
 public:
  column(size_type n, bool with_mask, stream_view stream)
    : size_(n),
      data_(sizeof(float) * n, stream),
      mask_(with_mask ? sizeof(mask_word) * words_for(n) : 0, stream),
      nulls_(with_mask ? unknown_nulls : 0)
  {
  }

  size_type size() const noexcept { return size_; }
  bool nullable() const noexcept { return mask_.size() != 0; }
  float* data() noexcept { return static_cast<float*>(data_.data()); }
  float const* data() const noexcept { return static_cast<float const*>(data_.data()); }
  mask_word* mask() noexcept { return static_cast<mask_word*>(mask_.data()); }
  mask_word const* mask() const noexcept { return static_cast<mask_word const*>(mask_.data()); }

  void set_null_count(size_type n) noexcept { nulls_ = n; }

  /// Counted on first use, then remembered.
  size_type null_count(stream_view stream = default_stream()) const;
  bool has_nulls(stream_view stream = default_stream()) const { return null_count(stream) > 0; }

 private:
  size_type size_;
  device_buffer data_;
  device_buffer mask_;
  mutable size_type nulls_;
};

}  // namespace strata
