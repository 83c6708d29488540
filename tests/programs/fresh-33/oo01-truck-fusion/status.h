#pragma once
#include <cuda_runtime.h>
#include <cstdio>

namespace haul {

struct [[nodiscard]] Status {
  cudaError_t code = cudaSuccess;
  const char* where = "";
  bool ok() const { return code == cudaSuccess; }
};

}  // namespace haul

#define HAUL_LOG(fmt, ...) std::fprintf(stderr, "[haul] " fmt "\n", ##__VA_ARGS__)
#define HAUL_CUDA(expr)                                                    \
  do {                                                                     \
    if (cudaError_t e_ = (expr); e_ != cudaSuccess) return ::haul::Status{e_, #expr}; \
  } while (0)
#define HAUL_TRY(expr)                                   \
  do {                                                   \
    if (::haul::Status s_ = (expr); !s_.ok()) return s_; \
  } while (0)
