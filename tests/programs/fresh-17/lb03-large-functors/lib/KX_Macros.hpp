#pragma once
#include <cuda_runtime.h>
#include <sstream>
#include <stdexcept>
#include <string>

#define KX_FUNCTION __host__ __device__
#define KX_LAMBDA [=] __host__ __device__

namespace KX::Impl {
inline void cuda_internal_error_throw(cudaError_t e, const char* name, const char* file, int line) {
  std::ostringstream out;
  out << name << " error(" << cudaGetErrorName(e) << "): " << cudaGetErrorString(e) << ' ' << file << ':' << line;
  throw std::runtime_error(out.str());
}
inline void cuda_internal_safe_call(cudaError_t e, const char* name, const char* file, int line) {
  if (e != cudaSuccess) cuda_internal_error_throw(e, name, file, line);
}
}  // namespace KX::Impl
#define KX_IMPL_CUDA_SAFE_CALL(call) KX::Impl::cuda_internal_safe_call(call, #call, __FILE__, __LINE__)
