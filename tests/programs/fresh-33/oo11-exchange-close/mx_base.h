#pragma once
#include <cuda_runtime.h>
#include <cstdio>

namespace mx {

enum class Code { Ok, Device, Full };

struct [[nodiscard]] Result {
  Code code = Code::Ok;
  cudaError_t device = cudaSuccess;
  bool ok() const { return code == Code::Ok; }
  const char* name() const { return code == Code::Device ? cudaGetErrorName(device) : "LaneFull"; }
};

}  // namespace mx

#define MX_LOG(level, ...) (std::fprintf(stderr, "mx " level ": " __VA_ARGS__), std::fputc('\n', stderr))

#define MX_CUDA(call)                                                         \
  do {                                                                        \
    const cudaError_t mx_e_ = (call);                                         \
    if (mx_e_ != cudaSuccess) return ::mx::Result{::mx::Code::Device, mx_e_}; \
  } while (0)

#define MX_TRY(call)                    \
  do {                                  \
    const ::mx::Result mx_r_ = (call);  \
    if (!mx_r_.ok()) return mx_r_;      \
  } while (0)
