#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace feed {

[[noreturn]] inline void fail(const char* name) {
  std::printf("ERROR %s\n", name);
  std::fflush(stdout);
  std::_Exit(1);
}

inline void must(cudaError_t e) {
  if (e != cudaSuccess) fail(cudaGetErrorName(e));
}

inline void must(CUresult r) {
  if (r == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(r, &name);
  fail(name ? name : "CUDA_ERROR_UNKNOWN");
}

// Streams are expensive to create, so every component of the desk draws its lane from here.
class LanePool {
 public:
  explicit LanePool(std::size_t width) : lanes_(width) {
    for (auto& lane : lanes_) must(cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking));
  }
  ~LanePool() {
    for (auto lane : lanes_) cudaStreamDestroy(lane);
    for (auto lane : dedicated_) cudaStreamDestroy(lane);
  }
  LanePool(const LanePool&) = delete;
  LanePool& operator=(const LanePool&) = delete;

  cudaStream_t next() {
    cudaStream_t lane = lanes_[cursor_];
    cursor_ = (cursor_ + 1) % lanes_.size();
    return lane;
  }

  // A lane outside the rotation, for one owner only.
  cudaStream_t dedicate() {
    cudaStream_t lane = nullptr;
    must(cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking));
    dedicated_.push_back(lane);
    return lane;
  }

  std::size_t width() const { return lanes_.size(); }

 private:
  std::vector<cudaStream_t> lanes_;
  std::vector<cudaStream_t> dedicated_;
  std::size_t cursor_ = 0;
};

}  // namespace feed
