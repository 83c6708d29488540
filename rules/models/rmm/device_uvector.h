// Elements on the device, and a single one: what they hold is read and written in the stream that is handed to each method.
#pragma once

#include "device_buffer.h"

namespace rmm {

template <class T>
class device_uvector {
 public:
    device_buffer storage_;

    device_uvector(size_t size, cuda_stream_view stream) : storage_(size * sizeof(T), stream) {}
    template <class Resource>
    device_uvector(size_t size, cuda_stream_view stream, Resource&&) : storage_(size * sizeof(T), stream) {}
    device_uvector(const device_uvector& other, cuda_stream_view stream) : storage_(other.storage_, stream) {}
    template <class Resource>
    device_uvector(const device_uvector& other, cuda_stream_view stream, Resource&&) : storage_(other.storage_, stream) {}
    device_uvector(const device_uvector& other) = delete;
    device_uvector(device_uvector&& other) : storage_(std::move(other.storage_)) {}
    device_uvector& operator=(device_uvector&& other) {
        storage_ = std::move(other.storage_);
        return *this;
    }

    T* data() { return static_cast<T*>(storage_.data_); }
    const T* data() const { return static_cast<const T*>(storage_.data_); }
    T* begin() { return static_cast<T*>(storage_.data_); }
    const T* begin() const { return static_cast<const T*>(storage_.data_); }
    const T* cbegin() const { return static_cast<const T*>(storage_.data_); }
    T* end() { return static_cast<T*>(storage_.data_) + size(); }
    const T* end() const { return static_cast<const T*>(storage_.data_) + size(); }
    const T* cend() const { return static_cast<const T*>(storage_.data_) + size(); }
    T* element_ptr(size_t index) { return static_cast<T*>(storage_.data_) + index; }
    const T* element_ptr(size_t index) const { return static_cast<const T*>(storage_.data_) + index; }
    size_t size() const { return storage_.size_ / sizeof(T); }
    size_t capacity() const { return storage_.size_ / sizeof(T); }
    bool is_empty() const { return storage_.size_ == 0; }
    cuda_stream_view stream() const { return storage_.stream_; }
    void set_stream(cuda_stream_view stream) { storage_.stream_ = stream.value(); }

    T element(size_t index, cuda_stream_view stream) const {
        T value;
        cudaMemcpyAsync(&value, element_ptr(index), sizeof(T), cudaMemcpyDefault, stream.value());
        cudaStreamSynchronize(stream.value());
        return value;
    }
    T front_element(cuda_stream_view stream) const { return element(0, stream); }
    T back_element(cuda_stream_view stream) const { return element(size() - 1, stream); }
    void set_element_async(size_t index, const T& value, cuda_stream_view stream) {
        cudaMemsetAsync(element_ptr(index), cudalint::unknown(), sizeof(T), stream.value());
    }
    void set_element_to_zero_async(size_t index, cuda_stream_view stream) {
        cudaMemsetAsync(element_ptr(index), 0, sizeof(T), stream.value());
    }
    void set_element(size_t index, const T& value, cuda_stream_view stream) {
        set_element_async(index, value, stream);
        cudaStreamSynchronize(stream.value());
    }
    void resize(size_t size, cuda_stream_view stream) { storage_.resize(size * sizeof(T), stream); }
    void reserve(size_t size, cuda_stream_view stream) { storage_.resize(size * sizeof(T), stream); }
    void shrink_to_fit(cuda_stream_view stream) { storage_.shrink_to_fit(stream); }
    device_buffer release() { return std::move(storage_); }
};

template <class T>
class device_scalar {
 public:
    device_uvector<T> storage_;

    explicit device_scalar(cuda_stream_view stream) : storage_(1, stream) {}
    template <class Resource>
    device_scalar(cuda_stream_view stream, Resource&&) : storage_(1, stream) {}
    device_scalar(const T& value, cuda_stream_view stream) : storage_(1, stream) { storage_.set_element_async(0, value, stream); }
    template <class Resource>
    device_scalar(const T& value, cuda_stream_view stream, Resource&&) : storage_(1, stream) {
        storage_.set_element_async(0, value, stream);
    }
    device_scalar(const device_scalar& other, cuda_stream_view stream) : storage_(other.storage_, stream) {}
    device_scalar(const device_scalar& other) = delete;
    device_scalar(device_scalar&& other) : storage_(std::move(other.storage_)) {}
    device_scalar& operator=(device_scalar&& other) {
        storage_ = std::move(other.storage_);
        return *this;
    }

    T* data() { return storage_.data(); }
    const T* data() const { return storage_.data(); }
    T value(cuda_stream_view stream) const { return storage_.element(0, stream); }
    void set_value_async(const T& value, cuda_stream_view stream) { storage_.set_element_async(0, value, stream); }
    void set_value_to_zero_async(cuda_stream_view stream) { storage_.set_element_to_zero_async(0, stream); }
    cuda_stream_view stream() const { return storage_.stream(); }
    void set_stream(cuda_stream_view stream) { storage_.set_stream(stream); }
};

}  // namespace rmm
