#pragma once

#include "CachingAllocator.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace thx {

/// Contiguous float tensor of one dimension; copies share the storage.
class Tensor {
 public:
  Tensor() = default;
  static Tensor empty(int64_t numel) {
    Tensor t;
    t.numel_ = numel;
    void* p = CachingAllocator::get().malloc(numel * sizeof(float), getCurrentStream());
    t.storage_ = std::shared_ptr<float>(static_cast<float*>(p), [](float* q) { CachingAllocator::get().free(q); });
    return t;
  }
  int64_t numel() const { return numel_; }
  float* data() const { return storage_.get(); }
  void record_stream(cudaStream_t s) const { CachingAllocator::get().recordStream(storage_.get(), s); }

  void copy_(const Tensor& src) const {
    THX_CHECK(src.numel_ == numel_, "copy_: sizes differ");
    THX_CUDA_CHECK(
        cudaMemcpyAsync(data(), src.data(), numel_ * sizeof(float), cudaMemcpyDeviceToDevice, getCurrentStream()));
  }

 private:
  std::shared_ptr<float> storage_;
  int64_t numel_ = 0;
};

Tensor full(int64_t numel, float value);
Tensor scale_shift(const Tensor& x, float scale, float shift);
Tensor relu(const Tensor& x);
Tensor add(const Tensor& a, const Tensor& b);

/// `fn` captured once for a sample input and replayed for others of the same size.
class GraphedCallable {
 public:
  using Fn = std::function<Tensor(const Tensor&)>;
  GraphedCallable(Fn fn, const Tensor& sample, int warmup = 2);
  ~GraphedCallable();
  GraphedCallable(const GraphedCallable&) = delete;

  /// The result is valid until the next call.
  Tensor operator()(const Tensor& x);

 private:
  Tensor static_in_;
  Tensor static_out_;
  std::vector<void*> held_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

} // namespace thx
