#pragma once
#include "device_buffer.hpp"

#include <vector>

namespace cf {
using size_type = std::int32_t;

class column_view {
 public:
  column_view(double const* data, size_type size) : data_{data}, size_{size} {}
  double const* data() const noexcept { return data_; }
  size_type size() const noexcept { return size_; }

 private:
  double const* data_;
  size_type size_;
};

class column {
 public:
  column(size_type size, stream_view stream, device_memory_resource* mr)
    : data_{sizeof(double) * static_cast<std::size_t>(size), stream, mr}, size_{size} {}
  column_view view() const { return {static_cast<double const*>(data_.data()), size_}; }
  double* mutable_data() { return static_cast<double*>(data_.data()); }
  size_type size() const noexcept { return size_; }

 private:
  device_buffer data_;
  size_type size_;
};

class scalar {
 public:
  scalar(stream_view stream, device_memory_resource* mr) : data_{sizeof(double), stream, mr} {}
  double* data() { return static_cast<double*>(data_.data()); }

  double value(stream_view stream) const
  {
    double host = 0;
    CF_CUDA_TRY(cudaMemcpyAsync(&host, data_.data(), sizeof host, cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
    return host;
  }

 private:
  device_buffer data_;
};

class table {
 public:
  void append(column&& c) { columns_.push_back(std::move(c)); }
  void set_column(size_type i, column&& c) { columns_.at(i) = std::move(c); }
  column_view operator[](size_type i) const { return columns_.at(i).view(); }
  size_type num_columns() const { return static_cast<size_type>(columns_.size()); }

 private:
  std::vector<column> columns_;
};

/// init, init + step, init + 2 * step, ...
column sequence(size_type size, double init, double step, stream_view stream, device_memory_resource* mr);

/// Sum of all rows; the value is on the device, in stream order.
scalar sum(column_view x, stream_view stream, device_memory_resource* mr);
}  // namespace cf
