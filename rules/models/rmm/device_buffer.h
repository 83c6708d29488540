// Memory of the device that is allocated, used and given back in the order of a stream.
#pragma once

#include "cuda_stream_view.h"

namespace rmm {

class device_buffer {
 public:
    void* data_;
    size_t size_;
    cudaStream_t stream_;

    device_buffer() : data_(0), size_(0), stream_(0) {}
    device_buffer(size_t size, cuda_stream_view stream) : data_(0), size_(size), stream_(stream.value()) {
        cudaMallocAsync(&data_, size, stream_);
    }
    template <class Resource>
    device_buffer(size_t size, cuda_stream_view stream, Resource&&) : device_buffer(size, stream) {}
    device_buffer(const void* source, size_t size, cuda_stream_view stream) : device_buffer(size, stream) {
        cudaMemcpyAsync(data_, source, size, cudaMemcpyDefault, stream_);
    }
    template <class Resource>
    device_buffer(const void* source, size_t size, cuda_stream_view stream, Resource&&) : device_buffer(source, size, stream) {}
    device_buffer(const device_buffer& other, cuda_stream_view stream) : device_buffer(other.data_, other.size_, stream) {}
    template <class Resource>
    device_buffer(const device_buffer& other, cuda_stream_view stream, Resource&&) : device_buffer(other, stream) {}
    device_buffer(const device_buffer& other) = delete;
    device_buffer(device_buffer&& other) : data_(other.data_), size_(other.size_), stream_(other.stream_) {
        other.data_ = 0;
        other.size_ = 0;
    }
    device_buffer& operator=(device_buffer&& other) {
        cudaFreeAsync(data_, stream_);
        data_ = other.data_;
        size_ = other.size_;
        stream_ = other.stream_;
        other.data_ = 0;
        other.size_ = 0;
        return *this;
    }
    ~device_buffer() { cudaFreeAsync(data_, stream_); }

    void* data() { return data_; }
    const void* data() const { return data_; }
    size_t size() const { return size_; }
    size_t capacity() const { return size_; }
    bool is_empty() const { return size_ == 0; }
    cuda_stream_view stream() const { return stream_; }
    void set_stream(cuda_stream_view stream) { stream_ = stream.value(); }
    void resize(size_t size, cuda_stream_view stream) {
        stream_ = stream.value();
        size_ = size;
        cudaFreeAsync(data_, stream_);
        cudaMallocAsync(&data_, size, stream_);
    }
    void reserve(size_t size, cuda_stream_view stream) { resize(size, stream); }
    void shrink_to_fit(cuda_stream_view stream) { stream_ = stream.value(); }
};

}  // namespace rmm
