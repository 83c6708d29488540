#pragma once
#include "exec_space.hpp"

namespace pk {
// Reference-counted device array.
template <class T>
class View {
 public:
  explicit View(std::size_t n) : size_(n) {
    void* p = nullptr;
    check(cudaMalloc(&p, sizeof(T) * n));
    data_.reset(static_cast<T*>(p), [](T* q) { cudaFree(q); });
  }
  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<T> data_;
  std::size_t size_;
};

// Copies to the host; complete on return.
template <class T>
void deep_copy(const Cuda& space, T* dst, const View<T>& src) {
  check(cudaMemcpyAsync(dst, src.data(), sizeof(T) * src.size(), cudaMemcpyDeviceToHost, space.stream()));
  space.fence();
}
}  // namespace pk
