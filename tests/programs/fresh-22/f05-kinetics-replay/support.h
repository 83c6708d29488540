#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace kinetics {

struct cuda_failure : std::runtime_error {
  cuda_failure(cudaError_t c, const char* what) : std::runtime_error(what), code(c) {}
  cudaError_t code;
};

#define KIN_ENFORCE(expr)                                              \
  do {                                                                 \
    const cudaError_t kin_code = (expr);                               \
    if (kin_code != cudaSuccess) {                                     \
      throw ::kinetics::cuda_failure(kin_code, #expr);                 \
    }                                                                  \
  } while (0)

/// Page-locked array.
template <typename T>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t n) : size_(n) { KIN_ENFORCE(cudaMallocHost(reinterpret_cast<void**>(&data_), n * sizeof(T))); }
  ~PinnedArray() { cudaFreeHost(data_); }
  PinnedArray(PinnedArray&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(o.size_) {}
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  T* data() noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Linear page-locked staging memory for small uploads. `recycle` starts again at the
/// beginning once little room is left and the stream has consumed what was pushed.
class StagingRing {
 public:
  explicit StagingRing(std::size_t bytes) : store_(bytes) {}

  template <typename T>
  const T* push(const T* src, std::size_t n) {
    const std::size_t bytes = (n * sizeof(T) + 63) / 64 * 64;
    if (head_ + bytes > store_.size()) throw std::length_error("staging ring exhausted");
    auto* at = reinterpret_cast<T*>(store_.data() + head_);
    std::memcpy(at, src, n * sizeof(T));
    head_ += bytes;
    return at;
  }

  void recycle(cudaStream_t stream) {
    if (head_ * 2 < store_.size()) return;
    KIN_ENFORCE(cudaStreamSynchronize(stream));
    head_ = 0;
  }

 private:
  PinnedArray<unsigned char> store_;
  std::size_t head_ = 0;
};

/// An instantiated graph, recorded from what `body` enqueues in `stream`.
class GraphExec {
 public:
  template <typename Body>
  static GraphExec record(cudaStream_t stream, Body&& body) {
    cudaGraph_t graph = nullptr;
    KIN_ENFORCE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    try {
      body(stream);
    } catch (...) {
      cudaStreamEndCapture(stream, &graph);
      if (graph) cudaGraphDestroy(graph);
      throw;
    }
    KIN_ENFORCE(cudaStreamEndCapture(stream, &graph));
    GraphExec out;
    const cudaError_t made = cudaGraphInstantiate(&out.exec_, graph, 0);
    cudaGraphDestroy(graph);
    KIN_ENFORCE(made);
    return out;
  }

  GraphExec() = default;
  ~GraphExec() {
    if (exec_) cudaGraphExecDestroy(exec_);
  }
  GraphExec(GraphExec&& o) noexcept : exec_(std::exchange(o.exec_, nullptr)) {}
  GraphExec& operator=(GraphExec&& o) noexcept {
    std::swap(exec_, o.exec_);
    return *this;
  }
  void launch(cudaStream_t stream) const { KIN_ENFORCE(cudaGraphLaunch(exec_, stream)); }

 private:
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace kinetics
