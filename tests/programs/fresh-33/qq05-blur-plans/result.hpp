#pragma once
#include <cuda_runtime.h>

#include <utility>
#include <variant>

namespace sepconv {

// A value or the CUDA error that prevented it.
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(cudaError_t error) : state_(error) {}
  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  T& operator*() { return std::get<T>(state_); }
  T* operator->() { return &std::get<T>(state_); }
  cudaError_t error() const { return *this ? cudaSuccess : std::get<cudaError_t>(state_); }

 private:
  std::variant<T, cudaError_t> state_;
};

#define SEPCONV_TRY(expr)                                          \
  do {                                                             \
    if (cudaError_t sepconv_e_ = (expr); sepconv_e_ != cudaSuccess) \
      return sepconv_e_;                                           \
  } while (0)

}  // namespace sepconv
