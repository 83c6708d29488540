#pragma once
#include "context.hpp"

#include <memory>
#include <vector>

namespace tx {
template <class T>
class Tensor {
 public:
  static Tensor empty(int64_t n) {
    const std::size_t bytes = sizeof(T) * (n > 0 ? n : 1);
    T* p = static_cast<T*>(CachingAllocator::get().allocate(bytes, getCurrentCUDAStream()));
    return Tensor(std::shared_ptr<T>(p, [](T* q) { CachingAllocator::get().release(q); }), n);
  }

  static Tensor fromHost(const std::vector<T>& host) {
    Tensor t = empty(static_cast<int64_t>(host.size()));
    auto stream = getCurrentCUDAStream();
    TX_CUDA_CHECK(cudaMemcpyAsync(t.data(), host.data(), sizeof(T) * host.size(), cudaMemcpyHostToDevice, stream));
    stream.synchronize();
    return t;
  }

  std::vector<T> toHost() const {
    std::vector<T> host(numel_);
    auto stream = getCurrentCUDAStream();
    TX_CUDA_CHECK(cudaMemcpyAsync(host.data(), data(), sizeof(T) * numel_, cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
    return host;
  }

  Tensor clone() const {
    Tensor t = empty(numel_);
    TX_CUDA_CHECK(cudaMemcpyAsync(t.data(), data(), sizeof(T) * numel_, cudaMemcpyDeviceToDevice, getCurrentCUDAStream()));
    return t;
  }

  T* data() const { return storage_.get(); }
  int64_t numel() const { return numel_; }

 private:
  Tensor(std::shared_ptr<T> storage, int64_t n) : storage_(std::move(storage)), numel_(n) {}
  std::shared_ptr<T> storage_;
  int64_t numel_ = 0;
};

namespace ops {
Tensor<float> affine(const Tensor<float>& x, float scale, float shift);
Tensor<int64_t> argsort(const Tensor<float>& values);
Tensor<float> take(const Tensor<float>& src, const Tensor<int64_t>& index);
}  // namespace ops
}  // namespace tx
