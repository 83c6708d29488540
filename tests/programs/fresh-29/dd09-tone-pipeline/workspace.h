#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>

struct CudaError : std::runtime_error {
  explicit CudaError(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

inline void cuda(cudaError_t c) {
  if (c != cudaSuccess) throw CudaError(c);
}

struct Dims {
  int width = 0;
  int height = 0;
  int pixels() const { return width * height; }
};

// Named device arrays that are made on demand and grow on demand.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace() {
    for (auto& kv : arrays_) cudaFree(kv.second.ptr);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  template <class T>
  T* get(const std::string& name, size_t count) {
    Item& it = arrays_[name];
    const size_t bytes = count * sizeof(T);
    if (it.bytes < bytes) {
      if (it.ptr) cuda(cudaFree(it.ptr));
      it = Item{};
      cuda(cudaMalloc(&it.ptr, bytes));
      it.bytes = bytes;
      ++growths_;
    }
    return static_cast<T*>(it.ptr);
  }
  int growths() const { return growths_; }

 private:
  struct Item {
    void* ptr = nullptr;
    size_t bytes = 0;
  };
  std::map<std::string, Item> arrays_;
  int growths_ = 0;
};
