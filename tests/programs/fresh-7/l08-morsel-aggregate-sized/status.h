#ifndef COLDB_STATUS_H_
#define COLDB_STATUS_H_

#include <cuda_runtime.h>

namespace coldb {

class Status {
 public:
  static Status OK() { return Status(cudaSuccess); }
  static Status FromCuda(cudaError_t e) { return Status(e); }
  bool ok() const { return code_ == cudaSuccess; }
  const char* message() const { return cudaGetErrorName(code_); }

 private:
  explicit Status(cudaError_t code) : code_(code) {}
  cudaError_t code_;
};

#define COLDB_RETURN_IF_ERROR(expr)                        \
  do {                                                     \
    ::coldb::Status status_macro = (expr);                 \
    if (!status_macro.ok()) return status_macro;           \
  } while (0)

#define COLDB_RETURN_IF_CUDA(expr) COLDB_RETURN_IF_ERROR(::coldb::Status::FromCuda(expr))

}  // namespace coldb

#endif  // COLDB_STATUS_H_
