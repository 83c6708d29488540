#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace vicinity {

struct cuda_error : std::runtime_error {
  cuda_error(cudaError_t status, char const* what, char const* file, int line)
    : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what), status(status) {}
  cudaError_t status;
};

#define VICINITY_CUDA_TRY(call) \
  do { \
    cudaError_t const status_ = (call); \
    if (status_ != cudaSuccess) { throw vicinity::cuda_error(status_, #call, __FILE__, __LINE__); } \
  } while (0)

/// A main stream and a pool of streams beside it.
class resources {
 public:
  explicit resources(std::size_t pool_size = 0) : pool_(pool_size) {
    VICINITY_CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (auto& s : pool_) { VICINITY_CUDA_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); }
    VICINITY_CUDA_TRY(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  resources(resources const&) = delete;
  ~resources() {
    cudaEventDestroy(event_);
    for (auto s : pool_) { cudaStreamDestroy(s); }
    cudaStreamDestroy(stream_);
  }

 private:
  friend struct resource;
  cudaStream_t stream_{};
  cudaEvent_t event_{};
  std::vector<cudaStream_t> pool_;
};

struct resource {
  static cudaStream_t get_cuda_stream(resources const& res) { return res.stream_; }
  static void sync_stream(resources const& res) { VICINITY_CUDA_TRY(cudaStreamSynchronize(res.stream_)); }

  /// The pool's stream of this number, or the main stream of resources that have no pool.
  static cudaStream_t get_next_usable_stream(resources const& res, std::size_t i) {
    return !res.pool_.empty() ? res.pool_[i % res.pool_.size()] : res.stream_;
  }
  /// Work of the pool starts behind what is in the main stream now.
  static void wait_stream_pool_on_stream(resources const& res) {
    VICINITY_CUDA_TRY(cudaEventRecord(res.event_, res.stream_));
    for (auto s : res.pool_) { VICINITY_CUDA_TRY(cudaStreamWaitEvent(s, res.event_, 0)); }
  }
  static void sync_stream_pool(resources const& res) {
    for (auto s : res.pool_) { VICINITY_CUDA_TRY(cudaStreamSynchronize(s)); }
  }
};

template <typename T>
class device_matrix {
 public:
  device_matrix(std::int64_t rows, std::int64_t cols) : rows_(rows), cols_(cols) {
    VICINITY_CUDA_TRY(cudaMalloc(&data_, sizeof(T) * rows * cols));
  }
  device_matrix(device_matrix const&) = delete;
  ~device_matrix() { cudaFree(data_); }
  T* data_handle() const { return data_; }
  std::int64_t extent(int d) const { return d == 0 ? rows_ : cols_; }
  std::size_t bytes() const { return sizeof(T) * rows_ * cols_; }

 private:
  T* data_{};
  std::int64_t rows_, cols_;
};

}  // namespace vicinity
