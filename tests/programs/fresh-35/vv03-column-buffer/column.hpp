#pragma once
#include "device_buffer.hpp"

namespace colm {

/// A column of fixed-width elements.
template <typename T>
class column {
 public:
  column(std::size_t rows, cuda_stream_view stream)
      : buffer_{rows * sizeof(T), stream}, rows_{rows} {}

  column(column&&) noexcept = default;
  column& operator=(column&&) noexcept = default;

  [[nodiscard]] T* data() const noexcept {
    return static_cast<T*>(buffer_.data());
  }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] cuda_stream_view stream() const noexcept {
    return buffer_.stream();
  }
  void set_stream(cuda_stream_view stream) noexcept {
    buffer_.set_stream(stream);
  }

 private:
  device_buffer buffer_;
  std::size_t rows_;
};

/// A column of `rows` times `value`, made on `stream`.
column<float> make_constant(std::size_t rows, float value,
                            cuda_stream_view stream);

/// Adds the total of `input` to `*total` (device memory), on `stream`.
void total(column<float> const& input, double* total, cuda_stream_view stream);

}  // namespace colm
