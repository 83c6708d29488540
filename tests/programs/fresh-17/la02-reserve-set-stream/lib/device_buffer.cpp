#include "device_buffer.hpp"

#include <utility>

namespace lrm {

device_buffer::device_buffer(std::size_t size, cuda_stream_view stream, device_memory_resource* mr)
  : stream_{stream}, mr_{mr}
{
  allocate_async(size);
}

device_buffer::device_buffer(void const* src,
                             std::size_t size,
                             cuda_stream_view stream,
                             device_memory_resource* mr)
  : stream_{stream}, mr_{mr}
{
  allocate_async(size);
  copy_async(src, size);
}

device_buffer::device_buffer(device_buffer const& other, cuda_stream_view stream)
  : device_buffer{other.data_, other.size_, stream, other.mr_}
{
}

device_buffer::device_buffer(device_buffer&& other) noexcept
  : data_{std::exchange(other.data_, nullptr)},
    size_{std::exchange(other.size_, 0)},
    capacity_{std::exchange(other.capacity_, 0)},
    stream_{std::exchange(other.stream_, cuda_stream_view{})},
    mr_{other.mr_}
{
}

device_buffer& device_buffer::operator=(device_buffer&& other) noexcept
{
  if (&other != this) {
    deallocate_async();
    data_     = std::exchange(other.data_, nullptr);
    size_     = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    set_stream(std::exchange(other.stream_, cuda_stream_view{}));
    mr_ = other.mr_;
  }
  return *this;
}

device_buffer::~device_buffer() noexcept { deallocate_async(); }

void device_buffer::reserve(std::size_t new_capacity, cuda_stream_view stream)
{
  if (new_capacity > capacity_) {
    auto const old_size = size_;
    void* const grown   = mr_->allocate(new_capacity, stream);
    if (old_size > 0) {
      LRM_CUDA_TRY(cudaMemcpyAsync(grown, data_, old_size, cudaMemcpyDefault, stream.value()));
    }
    set_stream(stream);
    deallocate_async();
    data_     = grown;
    size_     = old_size;
    capacity_ = new_capacity;
  }
  set_stream(stream);
}

void device_buffer::resize(std::size_t new_size, cuda_stream_view stream)
{
  reserve(new_size, stream);
  size_ = new_size;
}

void device_buffer::shrink_to_fit(cuda_stream_view stream)
{
  set_stream(stream);
  if (size_ != capacity_) {
    device_buffer tmp{*this, stream};
    std::swap(tmp.data_, data_);
    std::swap(tmp.capacity_, capacity_);
  }
}

void device_buffer::allocate_async(std::size_t bytes)
{
  LRM_EXPECTS(mr_ != nullptr, "no memory resource");
  size_     = bytes;
  capacity_ = bytes;
  data_     = mr_->allocate(bytes, stream_);
}

void device_buffer::deallocate_async() noexcept
{
  if (capacity_ > 0) { mr_->deallocate(data_, capacity_, stream_); }
  size_     = 0;
  capacity_ = 0;
  data_     = nullptr;
}

void device_buffer::copy_async(void const* source, std::size_t bytes)
{
  if (bytes > 0) {
    LRM_EXPECTS(source != nullptr, "invalid copy from nullptr");
    LRM_CUDA_TRY(cudaMemcpyAsync(data_, source, bytes, cudaMemcpyDefault, stream_.value()));
  }
}

}  // namespace lrm
