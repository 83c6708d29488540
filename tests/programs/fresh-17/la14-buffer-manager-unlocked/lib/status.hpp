#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace quarry {

class EngineError : public std::runtime_error {
 public:
  EngineError(const std::string& where, const std::string& what) : std::runtime_error(where + ": " + what) {}
};

inline void ThrowIfCuda(cudaError_t code, const char* where) {
  if (code != cudaSuccess) {
    (void)cudaGetLastError();
    throw EngineError(where, cudaGetErrorString(code));
  }
}

}  // namespace quarry
