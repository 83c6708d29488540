#pragma once
#include <cuda_runtime.h>
#include <cstdio>

namespace spec {

struct [[nodiscard]] Status {
  cudaError_t code = cudaSuccess;
  int line = 0;
  explicit operator bool() const { return code == cudaSuccess; }
};

}  // namespace spec

#define SPEC_RETURN_IF_CUDA(expr)                                   \
  do {                                                              \
    const cudaError_t spec_e_ = (expr);                             \
    if (spec_e_ != cudaSuccess) return ::spec::Status{spec_e_, __LINE__}; \
  } while (0)

#define SPEC_RETURN_IF(expr)             \
  do {                                   \
    const ::spec::Status spec_s_ = (expr); \
    if (!spec_s_) return spec_s_;        \
  } while (0)

#define SPEC_INFO(...) (std::fprintf(stderr, "[spec] " __VA_ARGS__), std::fputc('\n', stderr))
