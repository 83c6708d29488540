#ifndef MINITENSOR_TENSOR_HPP
#define MINITENSOR_TENSOR_HPP

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <list>
#include <memory>
#include <set>
#include <vector>

namespace mt {

inline void guard(cudaError_t e) {
  if (e != cudaSuccess) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
  }
}

namespace detail {

// Stream dependency between two streams.
inline void order(cudaStream_t earlier, cudaStream_t later) {
  cudaEvent_t e;
  guard(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  guard(cudaEventRecord(e, earlier));
  guard(cudaStreamWaitEvent(later, e, 0));
  guard(cudaEventDestroy(e));
}

class Storage {
 public:
  Storage(size_t bytes, cudaStream_t home) : home_(home) {
    guard(cudaMallocAsync(&data_, bytes, home));
  }
  ~Storage() {
    cudaStream_t last = home_;
    for (cudaStream_t s : visitors_) {
      order(last, s);
      last = s;
    }
    guard(cudaFreeAsync(data_, last));
  }
  Storage(const Storage&) = delete;

  void* data() const { return data_; }
  void lendTo(cudaStream_t s) {
    if (s == home_) return;
    order(home_, s);
    visitors_.insert(s);
  }

 private:
  void* data_ = nullptr;
  cudaStream_t home_;
  std::set<cudaStream_t> visitors_;
};

}  // namespace detail

class Tensor {
 public:
  Tensor(int n, cudaStream_t home)
      : n_(n), storage_(std::make_shared<detail::Storage>(n * sizeof(int), home)) {}

  int size() const { return n_; }
  int* on(cudaStream_t s) const {
    storage_->lendTo(s);
    return static_cast<int*>(storage_->data());
  }

 private:
  int n_;
  std::shared_ptr<detail::Storage> storage_;
};

// Page-locked staging blocks for uploads.
class HostCache {
 public:
  explicit HostCache(int n) : n_(n) {}
  ~HostCache() {
    for (Node& b : nodes_) {
      guard(cudaEventSynchronize(b.used));
      cudaEventDestroy(b.used);
      cudaFreeHost(b.data);
    }
  }

  template <class Fill>
  void upload(const Tensor& t, cudaStream_t s, Fill fill) {
    Node& b = pick();
    for (int i = 0; i < t.size(); ++i) b.data[i] = fill(i);
    guard(cudaMemcpyAsync(t.on(s), b.data, t.size() * sizeof(int), cudaMemcpyHostToDevice, s));
    guard(cudaEventRecord(b.used, s));
  }
  size_t blocks() const { return nodes_.size(); }

 private:
  struct Node {
    int* data = nullptr;
    cudaEvent_t used{};
  };
  Node& pick() {
    for (Node& b : nodes_) {
      const cudaError_t q = cudaEventQuery(b.used);
      if (q == cudaSuccess) return b;
      if (q != cudaErrorNotReady) guard(q);
    }
    nodes_.emplace_back();
    Node& b = nodes_.back();
    guard(cudaMallocHost(&b.data, n_ * sizeof(int)));
    guard(cudaEventCreateWithFlags(&b.used, cudaEventDisableTiming));
    return b;
  }

  int n_;
  std::list<Node> nodes_;
};

}  // namespace mt
#endif
