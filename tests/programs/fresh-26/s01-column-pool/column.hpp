#pragma once
#include "device_buffer.hpp"

namespace tabula {

template <typename T>
class column {
 public:
  column(std::size_t rows, cudaStream_t stream, mr::device_memory_resource* mr)
    : data_{rows * sizeof(T), stream, mr}, rows_{rows}
  {
  }
  column(device_buffer&& data, std::size_t rows) : data_{std::move(data)}, rows_{rows} {}

  T* data() noexcept { return data_.template as<T>(); }
  T const* data() const noexcept { return data_.template as<T>(); }
  std::size_t size() const noexcept { return rows_; }

 private:
  device_buffer data_;
  std::size_t rows_;
};

// All functions enqueue their work in `stream` and return; results are ready in stream order.

// Mean over the last `window` rows (fewer at the start).
column<double> rolling_mean(column<float> const& input,
                            int window,
                            cudaStream_t stream,
                            mr::device_memory_resource* mr);

// a * x + b
column<double> affine(column<float> const& input,
                      double a,
                      double b,
                      cudaStream_t stream,
                      mr::device_memory_resource* mr);

// x - mean over the last `window` rows
column<double> detrend(column<float> const& input,
                       int window,
                       cudaStream_t stream,
                       mr::device_memory_resource* mr);

}  // namespace tabula
