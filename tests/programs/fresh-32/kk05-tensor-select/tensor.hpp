#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tr {

class runtime_failure : public std::runtime_error {
 public:
  runtime_failure(cudaError_t s, char const* expr) : std::runtime_error(expr), code(s) {}
  cudaError_t const code;
};

#define TR_CHECK(expr)                                          \
  do {                                                          \
    if (cudaError_t st_ = (expr)) throw tr::runtime_failure(st_, #expr); \
  } while (0)

/// Row-major float matrix on the device. Owns its storage.
class tensor {
 public:
  tensor(int64_t rows, int64_t cols);
  ~tensor();
  tensor(tensor&& o) noexcept;
  tensor(tensor const&) = delete;
  tensor& operator=(tensor const&) = delete;

  float* data() { return data_; }
  float const* data() const { return data_; }
  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }

 private:
  int64_t rows_, cols_;
  float* data_ = nullptr;
};

/**
 * Execution context: a stream and the scratch of the operators that run on it.
 *
 * Allocation happens in the constructor only. Every operator taking a context may be
 * captured: open a capture on stream(), call operators, end it, and launch the graph
 * as often as wished while the context and the tensors live.
 */
class context {
 public:
  explicit context(int max_indices);
  ~context();
  context(context const&) = delete;
  context& operator=(context const&) = delete;

  cudaStream_t stream() const { return stream_; }
  int32_t* index_scratch() const { return scratch_; }
  int max_indices() const { return max_indices_; }

 private:
  cudaStream_t stream_ = nullptr;
  int32_t* scratch_ = nullptr;
  int max_indices_;
};

}  // namespace tr
