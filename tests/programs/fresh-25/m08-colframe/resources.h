#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace colframe {

class cuda_failure : public std::runtime_error {
 public:
  explicit cuda_failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void require(cudaError_t e)
{
  if (e != cudaSuccess) throw cuda_failure(e);
}

// Process-wide stream of the calls that do not name one.
cudaStream_t default_stream();

// Scratch memory in stream order, from a pool that keeps what it has.
class scratch {
 public:
  scratch(std::size_t bytes, cudaStream_t stream);
  ~scratch();
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  void* get() const { return p_; }

 private:
  void* p_ = nullptr;
  cudaStream_t stream_;
};

class stream_pool {
 public:
  explicit stream_pool(int n);
  ~stream_pool();
  stream_pool(const stream_pool&) = delete;
  stream_pool& operator=(const stream_pool&) = delete;
  cudaStream_t at(int i) const { return streams_[i % streams_.size()]; }
  void fork_from(cudaStream_t stream);
  void join_to(cudaStream_t stream);

 private:
  std::vector<cudaStream_t> streams_;
  cudaEvent_t event_ = nullptr;
};

}  // namespace colframe
