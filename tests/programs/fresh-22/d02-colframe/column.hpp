// Columns, views of columns and the operations that build new columns.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pinned_pool.hpp"

namespace colframe {

/// Device memory in stream order of the stream it was made with.
class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(std::size_t bytes, cudaStream_t stream) : bytes_(bytes), stream_(stream) {
    if (bytes) throw_on_error(cudaMallocAsync(&data_, bytes, stream), "device_buffer");
  }
  ~device_buffer() {
    if (data_) cudaFreeAsync(data_, stream_);
  }
  device_buffer(device_buffer&& o) noexcept { swap(o); }
  device_buffer& operator=(device_buffer&& o) noexcept {
    device_buffer tmp(std::move(o));
    swap(tmp);
    return *this;
  }
  void* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  void swap(device_buffer& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(bytes_, o.bytes_);
    std::swap(stream_, o.stream_);
  }
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// Non-owning view of values in device memory.
struct column_view {
  const std::int64_t* values = nullptr;
  std::size_t rows = 0;
};

class column {
 public:
  column(std::size_t rows, cudaStream_t stream)
      : rows_(rows), data_(rows * sizeof(std::int64_t), stream) {}

  std::size_t rows() const { return rows_; }
  std::int64_t* values() { return static_cast<std::int64_t*>(data_.data()); }
  column_view view() const {
    return {static_cast<const std::int64_t*>(data_.data()), rows_};
  }

 private:
  std::size_t rows_;
  device_buffer data_;
};

/// Concatenates chunks into one column. All device work is ordered in `stream`, the
/// function does not wait for it. The chunks have to be valid in `stream`.
column concatenate(const std::vector<column_view>& chunks, cudaStream_t stream);

/// Takes one slice [begin, end) of every chunk and concatenates the slices, as above.
struct slice {
  std::size_t begin = 0;
  std::size_t end = 0;
};
column concatenate_slices(const std::vector<column_view>& chunks,
                          const std::vector<slice>& slices,
                          cudaStream_t stream);

}  // namespace colframe
