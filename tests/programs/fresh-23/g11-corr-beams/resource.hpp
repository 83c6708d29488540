#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace corr {

class cuda_failure : public std::runtime_error {
 public:
  explicit cuda_failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_failure(e);
}

/// Device memory for work on a stream. Memory may be given back while work that uses it is still
/// enqueued on the stream named.
class device_resource {
 public:
  virtual ~device_resource() = default;
  virtual void* allocate(std::size_t bytes, cudaStream_t stream) = 0;
  virtual void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept = 0;
};

/// Keeps blocks that were given back for later requests. One resource serves any number of threads
/// and streams; the streams outlive it.
class caching_resource final : public device_resource {
 public:
  caching_resource() = default;
  ~caching_resource() override;
  caching_resource(const caching_resource&) = delete;
  caching_resource& operator=(const caching_resource&) = delete;

  void* allocate(std::size_t bytes, cudaStream_t stream) override;
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept override;

  /// Bytes taken from the device so far.
  std::size_t footprint() const;

 private:
  using bin = std::size_t;

  mutable std::mutex mutex_;
  std::map<bin, std::vector<void*>> free_;
  std::vector<void*> owned_;
  std::size_t footprint_ = 0;
};

/// A typed array from a resource for the length of a scope.
template <class T>
class scratch {
 public:
  scratch(std::size_t count, device_resource& from, cudaStream_t stream)
      : count_(count), from_(from), stream_(stream), data_(static_cast<T*>(from.allocate(count * sizeof(T), stream))) {}
  ~scratch() { from_.deallocate(data_, count_ * sizeof(T), stream_); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return count_; }

 private:
  std::size_t count_;
  device_resource& from_;
  cudaStream_t stream_;
  T* data_;
};

}  // namespace corr
