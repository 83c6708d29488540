#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>

#include <cuda_runtime_api.h>

namespace packrat {

inline void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status));
}

// Where a box of host memory comes from and goes to.
struct HostSource {
  void* (*take)(std::size_t bytes);
  void (*give)(void* ptr);

  static HostSource heap();
  static HostSource locked();
};

// Some values in host memory.
template <typename T>
class HostBox {
 public:
  explicit HostBox(std::size_t count, HostSource source = HostSource::heap())
      : values_(static_cast<T*>(source.take(count * sizeof(T))), source.give), count_(count) {}

  T* data() { return values_.get(); }
  const T& operator[](std::size_t i) const { return values_.get()[i]; }
  std::size_t size() const { return count_; }

 private:
  std::unique_ptr<T, void (*)(void*)> values_;
  std::size_t count_;
};

template <typename T>
class DeviceBox {
 public:
  explicit DeviceBox(std::size_t count) : count_(count) {
    void* p = nullptr;
    require(cudaMalloc(&p, count * sizeof(T)));
    values_.reset(static_cast<T*>(p));
  }
  T* data() { return values_.get(); }
  std::size_t size() const { return count_; }

 private:
  struct Give {
    void operator()(T* p) const { cudaFree(p); }
  };
  std::unique_ptr<T, Give> values_;
  std::size_t count_;
};

}  // namespace packrat
