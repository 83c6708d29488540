#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace lrm {

struct logic_error : public std::logic_error {
  using std::logic_error::logic_error;
};

struct cuda_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class bad_alloc : public std::bad_alloc {
 public:
  explicit bad_alloc(std::string const& msg) : what_{std::string{"std::bad_alloc: "} + msg} {}
  [[nodiscard]] char const* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

}  // namespace lrm

#define LRM_EXPECTS(_cond, _msg)                                                          \
  do {                                                                                    \
    if (!(_cond)) { throw lrm::logic_error{std::string{"LRM failure: "} + (_msg)}; }      \
  } while (0)

#define LRM_CUDA_TRY(_call)                                                               \
  do {                                                                                    \
    cudaError_t const err_ = (_call);                                                     \
    if (cudaSuccess != err_) {                                                            \
      cudaGetLastError();                                                                 \
      throw lrm::cuda_error{std::string{"CUDA error: "} + cudaGetErrorName(err_) + " " +  \
                            cudaGetErrorString(err_)};                                    \
    }                                                                                     \
  } while (0)

#define LRM_ASSERT_CUDA_SUCCESS(_call) \
  do {                                 \
    cudaError_t const st_ = (_call);   \
    (void)st_;                         \
  } while (0)
