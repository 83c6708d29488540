#pragma once
#include <cuda_runtime.h>
#include <utility>
#include <variant>

namespace serve {

// Value or CUDA error; the serving stack does not throw.
template <class T>
class Expected {
 public:
  Expected(T value) : state_(std::move(value)) {}
  Expected(cudaError_t error) : state_(error) {}
  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  cudaError_t error() const { return std::get<1>(state_); }

 private:
  std::variant<T, cudaError_t> state_;
};

}  // namespace serve

#define SERVE_TRY(expr)                           \
  do {                                            \
    cudaError_t serve_e_ = (expr);                \
    if (serve_e_ != cudaSuccess) return serve_e_; \
  } while (0)
