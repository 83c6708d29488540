#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace perf {

class cuda_exception : public std::runtime_error {
 public:
  cuda_exception(cudaError_t s, std::string const& what) : std::runtime_error(what), status(s) {}
  cudaError_t status;
};

inline void safe_call(cudaError_t s, char const* what) {
  if (s != cudaSuccess) throw cuda_exception(s, what);
}

namespace impl {

class cuda_internal {
 public:
  cuda_internal(cudaStream_t stream, bool owns);
  ~cuda_internal();
  cuda_internal(cuda_internal const&) = delete;
  cuda_internal& operator=(cuda_internal const&) = delete;

  cudaStream_t stream() const { return stream_; }
  double* partials(std::size_t count);
  double* result_host() const { return result_; }
  void fence() const;

  static std::shared_ptr<cuda_internal> const& singleton();

 private:
  cudaStream_t stream_;
  bool owns_;
  double* partials_ = nullptr;
  std::size_t capacity_ = 0;
  double* result_ = nullptr;
};

}  // namespace impl

/**
 * Execution space. Copies share one instance. A default constructed Cuda is the default
 * instance, which has a stream of its own; Cuda(stream) is an instance that issues all
 * its work in the caller's stream. Instances are independent of one another. An
 * instance is used by one thread at a time.
 */
class Cuda {
 public:
  Cuda() : internal_(impl::cuda_internal::singleton()) {}
  explicit Cuda(cudaStream_t stream)
    : internal_(std::make_shared<impl::cuda_internal>(stream, false)) {}

  cudaStream_t cuda_stream() const { return internal_->stream(); }
  /// Blocks until the work of this instance has ended.
  void fence() const { internal_->fence(); }
  impl::cuda_internal& impl_instance() const { return *internal_; }

 private:
  std::shared_ptr<impl::cuda_internal> internal_;
};

template <class Space>
class RangePolicy {
 public:
  RangePolicy(std::size_t begin, std::size_t end) : begin_(begin), end_(end) {}
  RangePolicy(Space const& space, std::size_t begin, std::size_t end)
    : space_(space), begin_(begin), end_(end) {}
  Space const& space() const { return space_; }
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

 private:
  Space space_;
  std::size_t begin_, end_;
};

}  // namespace perf
