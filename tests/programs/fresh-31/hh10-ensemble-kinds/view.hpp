#pragma once
#include "memory_space.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace px {

template <class T>
class DeviceView {
 public:
  DeviceView() = default;
  DeviceView(std::string label, std::size_t n) : label_(std::move(label)), extent_(n) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
  }
  DeviceView(DeviceView&& o) noexcept { swap(o); }
  DeviceView& operator=(DeviceView&& o) noexcept {
    DeviceView tmp(std::move(o));
    swap(tmp);
    return *this;
  }
  ~DeviceView() { cudaFree(data_); }

  void swap(DeviceView& o) noexcept {
    std::swap(label_, o.label_);
    std::swap(data_, o.data_);
    std::swap(extent_, o.extent_);
  }

  T* data() const { return data_; }
  std::size_t extent() const { return extent_; }
  const std::string& label() const { return label_; }

 private:
  std::string label_;
  T* data_ = nullptr;
  std::size_t extent_ = 0;
};

template <class T>
class HostView {
 public:
  HostView() = default;
  HostView(std::string label, std::size_t n, HostSpace space = HostSpace::Regular)
      : label_(std::move(label)),
        space_(space),
        data_(static_cast<T*>(host_allocate(space, n * sizeof(T)))),
        extent_(n) {
    std::fill(data_, data_ + n, T{});
  }
  HostView(HostView&& o) noexcept { swap(o); }
  HostView& operator=(HostView&& o) noexcept {
    HostView tmp(std::move(o));
    swap(tmp);
    return *this;
  }
  ~HostView() { host_release(space_, data_); }

  void swap(HostView& o) noexcept {
    std::swap(label_, o.label_);
    std::swap(space_, o.space_);
    std::swap(data_, o.data_);
    std::swap(extent_, o.extent_);
  }

  // Keeps the leading values.
  void resize(std::size_t n) {
    if (n == extent_) return;
    HostView fresh(label_, n, space_);
    std::copy(data_, data_ + std::min(n, extent_), fresh.data_);
    swap(fresh);
  }

  T* data() const { return data_; }
  std::size_t extent() const { return extent_; }
  HostSpace space() const { return space_; }

 private:
  std::string label_;
  HostSpace space_ = HostSpace::Regular;
  T* data_ = nullptr;
  std::size_t extent_ = 0;
};

}  // namespace px
