// Arrays in host memory with a choice of allocator.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace walkscore {

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(cudaGetErrorName(status)) + " in " + what);
  }
}

/// Page-locked memory for the containers of the standard library.
template <class T>
struct pinned_allocator {
  using value_type = T;
  pinned_allocator() = default;
  template <class U>
  pinned_allocator(const pinned_allocator<U>&) {}

  T* allocate(std::size_t n) {
    void* p = nullptr;
    if (cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault) != cudaSuccess) {
      throw std::bad_alloc();
    }
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) noexcept { cudaFreeHost(p); }
};

template <class T, class U>
bool operator==(const pinned_allocator<T>&, const pinned_allocator<U>&) {
  return true;
}
template <class T, class U>
bool operator!=(const pinned_allocator<T>&, const pinned_allocator<U>&) {
  return false;
}

/// A vector that only grows, with the number of elements in use.
template <class T, template <class> class Alloc = std::allocator>
class host_chunk {
 public:
  void resize(std::size_t n) {
    if (n > storage_.size()) storage_.resize(n);
    used_ = n;
  }
  T* data() { return storage_.data(); }
  const T* data() const { return storage_.data(); }
  std::size_t size() const { return used_; }
  std::size_t bytes() const { return used_ * sizeof(T); }
  T* begin() { return storage_.data(); }
  T* end() { return storage_.data() + used_; }

 private:
  std::vector<T, Alloc<T>> storage_;
  std::size_t used_ = 0;
};

/// Device array that only grows.
template <class T>
class device_chunk {
 public:
  device_chunk() = default;
  ~device_chunk() {
    if (data_) cudaFree(data_);
  }
  device_chunk(const device_chunk&) = delete;
  device_chunk& operator=(const device_chunk&) = delete;

  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    if (data_) check(cudaFree(data_), "device_chunk");
    data_ = nullptr;
    capacity_ = 0;
    check(cudaMalloc(&data_, n * sizeof(T)), "device_chunk");
    capacity_ = n;
  }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace walkscore
