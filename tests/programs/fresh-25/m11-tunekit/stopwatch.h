#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace tunekit {

struct tune_error : std::runtime_error {
  explicit tune_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void guard(cudaError_t e)
{
  if (e != cudaSuccess) throw tune_error(e);
}

// Pair of timing events that belongs to one stream.
class stopwatch {
 public:
  explicit stopwatch(cudaStream_t stream);
  ~stopwatch();
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  void start();
  void stop();
  double elapsed_ms();

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace tunekit
