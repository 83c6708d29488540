#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <string>

namespace inferrt {

enum class StatusCode { kOk, kInvalidArgument, kRuntimeException };

class Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string msg) : state_(std::make_shared<State>(State{code, std::move(msg)})) {}
  static Status OK() { return Status(); }
  bool IsOK() const { return state_ == nullptr; }
  StatusCode Code() const { return IsOK() ? StatusCode::kOk : state_->code; }
  std::string ErrorMessage() const { return IsOK() ? "OK" : state_->msg; }

 private:
  struct State {
    StatusCode code;
    std::string msg;
  };
  std::shared_ptr<State> state_;
};

inline Status CudaCall(cudaError_t err, const char* expr) {
  if (err == cudaSuccess) return Status::OK();
  return Status(StatusCode::kRuntimeException, std::string(expr) + " -> " + cudaGetErrorName(err));
}

#define INFER_RETURN_IF_ERROR(expr)     \
  do {                                  \
    ::inferrt::Status _st = (expr);     \
    if (!_st.IsOK()) return _st;        \
  } while (0)
#define INFER_CUDA(expr) INFER_RETURN_IF_ERROR(::inferrt::CudaCall((expr), #expr))

}  // namespace inferrt
