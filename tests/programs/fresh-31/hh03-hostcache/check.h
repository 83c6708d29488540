#pragma once
#include <cuda_runtime.h>

#include <stdexcept>

namespace feed {

struct cuda_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_failure(cudaGetErrorName(e));
}

}  // namespace feed
