#pragma once
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>

#include <stdexcept>
#include <string>

namespace veclib {

struct cuda_error : std::runtime_error {
  explicit cuda_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_error(e);
}

// Per-caller context: the stream all work is ordered on, plus reusable workspace.
class resources {
 public:
  explicit resources(cudaStream_t stream) : stream_(stream) {
    int dev = 0;
    check(cudaGetDevice(&dev));
    check(cudaDeviceGetAttribute(&sm_count_, cudaDevAttrMultiProcessorCount, dev));
  }
  resources(resources const&) = delete;
  resources& operator=(resources const&) = delete;

  cudaStream_t stream() const noexcept { return stream_; }
  int sm_count() const noexcept { return sm_count_; }
  auto thrust_policy() const { return thrust::cuda::par_nosync.on(stream_); }

  void reserve_workspace(std::size_t floats) {
    if (workspace_.size() < floats) workspace_.resize(floats);
  }
  float* workspace() { return thrust::raw_pointer_cast(workspace_.data()); }
  std::size_t workspace_size() const { return workspace_.size(); }

  void sync() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_;
  int sm_count_ = 0;
  thrust::device_vector<float> workspace_;
};

template <typename T>
struct matrix_view {
  T* data;
  int rows;
  int cols;
};

}  // namespace veclib
