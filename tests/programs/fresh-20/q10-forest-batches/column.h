// forest: device columns and views on them.
#pragma once

#include "policy.h"

#include <thrust/device_ptr.h>

#include <cstddef>
#include <vector>

namespace forest {

template <class T>
class column_view {
 public:
  column_view(T* p, std::size_t n) : p_(p), n_(n) {}
  thrust::device_ptr<T> begin() const { return thrust::device_ptr<T>(p_); }
  thrust::device_ptr<T> end() const { return thrust::device_ptr<T>(p_ + n_); }
  T* data() const noexcept { return p_; }
  std::size_t size() const noexcept { return n_; }
  column_view first(std::size_t n) const { return {p_, n < n_ ? n : n_}; }

 private:
  T* p_;
  std::size_t n_;
};

/// Owning column of fixed capacity; plain device memory.
template <class T>
class column {
 public:
  explicit column(std::size_t capacity) : capacity_(capacity) {
    guard(cudaMalloc(reinterpret_cast<void**>(&p_), capacity * sizeof(T)), "column");
  }
  column(column&& o) noexcept : p_(std::exchange(o.p_, nullptr)), capacity_(o.capacity_) {}
  column& operator=(column&&) = delete;
  ~column() {
    if (p_) cudaFree(p_);
  }
  column_view<T> view() const { return {p_, capacity_}; }
  column_view<T> view(std::size_t n) const { return view().first(n); }

 private:
  T* p_ = nullptr;
  std::size_t capacity_;
};

/// Page-locked host array.
template <class T>
class host_column {
 public:
  explicit host_column(std::size_t n) : n_(n) {
    guard(cudaMallocHost(reinterpret_cast<void**>(&p_), n * sizeof(T)), "host_column");
  }
  host_column(host_column&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_) {}
  host_column& operator=(host_column&&) = delete;
  ~host_column() {
    if (p_) cudaFreeHost(p_);
  }
  T* data() noexcept { return p_; }
  T& operator[](std::size_t i) noexcept { return p_[i]; }
  std::size_t size() const noexcept { return n_; }

 private:
  T* p_ = nullptr;
  std::size_t n_;
};

}  // namespace forest
