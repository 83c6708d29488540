#pragma once
#include <cuda_runtime.h>

#include <string>
#include <utility>
#include <variant>

namespace hlx {

class Status {
 public:
  Status() = default;
  explicit Status(std::string message) : message_(std::move(message)) {}
  bool ok() const { return message_.empty(); }
  const std::string& message() const { return message_; }

 private:
  std::string message_;
};

template <typename T>
class StatusOr {
 public:
  StatusOr(T value) : rep_(std::move(value)) {}
  StatusOr(Status status) : rep_(std::move(status)) {}
  bool ok() const { return std::holds_alternative<T>(rep_); }
  Status status() const { return ok() ? Status() : std::get<Status>(rep_); }
  T& value() { return std::get<T>(rep_); }

 private:
  std::variant<T, Status> rep_;
};

inline Status ToStatus(cudaError_t e) {
  return e == cudaSuccess ? Status() : Status(cudaGetErrorName(e));
}

#define HLX_RETURN_IF_ERROR(expr)                 \
  do {                                            \
    ::hlx::Status hlx_status = (expr);            \
    if (!hlx_status.ok()) return hlx_status;      \
  } while (0)

#define HLX_CUDA(expr) HLX_RETURN_IF_ERROR(::hlx::ToStatus(expr))

}  // namespace hlx
