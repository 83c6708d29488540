#pragma once

#include "types.hpp"

#include <cstddef>
#include <utility>

namespace tabula {

/// Stream-ordered device memory.
class memory_resource {
 public:
  virtual ~memory_resource() = default;
  virtual void* allocate(std::size_t bytes, stream_view stream) = 0;
  virtual void deallocate(void* p, std::size_t bytes, stream_view stream) noexcept = 0;
};

/// The resource that functions use when none is named: the device's memory pool.
memory_resource* default_resource();

class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(std::size_t bytes, stream_view stream, memory_resource* mr)
      : bytes_(bytes), stream_(stream), mr_(mr) {
    if (bytes_ != 0) data_ = mr_->allocate(bytes_, stream_);
  }
  device_buffer(device_buffer&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), bytes_(std::exchange(o.bytes_, 0)), stream_(o.stream_), mr_(o.mr_) {}
  device_buffer& operator=(device_buffer&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(bytes_, o.bytes_);
    std::swap(stream_, o.stream_);
    std::swap(mr_, o.mr_);
    return *this;
  }
  ~device_buffer() {
    if (data_ != nullptr) mr_->deallocate(data_, bytes_, stream_);
  }

  void* data() noexcept { return data_; }
  const void* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return bytes_; }

 private:
  void* data_{};
  std::size_t bytes_{};
  stream_view stream_{};
  memory_resource* mr_{};
};

}  // namespace tabula
