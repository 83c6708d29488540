#pragma once
#include <cuda_runtime.h>

#include <string>
#include <utility>

namespace rt {

class Status {
 public:
  Status() = default;
  explicit Status(std::string message) : message_(std::move(message)) {}
  static Status OK() { return Status(); }
  bool IsOK() const { return message_.empty(); }
  const std::string& ErrorMessage() const { return message_; }

 private:
  std::string message_;
};

inline Status FromCuda(cudaError_t e) {
  return e == cudaSuccess ? Status::OK() : Status(cudaGetErrorName(e));
}

#define RT_RETURN_IF_ERROR(expr)        \
  do {                                  \
    ::rt::Status rt_status = (expr);    \
    if (!rt_status.IsOK()) return rt_status; \
  } while (0)

#define RT_CUDA(expr) RT_RETURN_IF_ERROR(::rt::FromCuda(expr))

}  // namespace rt
