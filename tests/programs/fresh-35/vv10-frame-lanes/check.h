#pragma once
#include <cuda_runtime.h>

#include <stdexcept>

namespace flume {

inline void Check(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

}  // namespace flume
