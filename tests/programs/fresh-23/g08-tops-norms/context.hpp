#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace tops {

class cuda_failure : public std::runtime_error {
 public:
  explicit cuda_failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_failure(e);
}

/// What operations run with: a stream of the caller's and a scratch area. A context serves one thread
/// and one stream. Its blocks live as long as the context, for graphs hold their addresses.
class context {
 public:
  explicit context(cudaStream_t stream, std::size_t scratch_bytes = std::size_t(1) << 16);
  ~context();
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  cudaStream_t stream() const noexcept { return stream_; }

  /// Sees to it that the scratch area has at least `bytes`.
  void reserve(std::size_t bytes);
  std::size_t capacity() const noexcept { return capacity_; }

  /// The scratch area, for `count` elements; what it holds lasts until the next operation.
  template <class T>
  T* scratch(std::size_t count) {
    return static_cast<T*>(scratch_bytes(count * sizeof(T)));
  }

 private:
  struct device_delete {
    void operator()(void* p) const noexcept { cudaFree(p); }
  };

  void* scratch_bytes(std::size_t bytes);

  cudaStream_t stream_;
  std::vector<std::unique_ptr<void, device_delete>> blocks_;
  std::size_t capacity_ = 0;
};

}  // namespace tops
