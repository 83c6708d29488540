#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace memkit {

class error : public std::runtime_error {
 public:
  error(cudaError_t s, char const* what) : std::runtime_error(what), status_(s) {}
  cudaError_t status() const noexcept { return status_; }

 private:
  cudaError_t status_;
};

inline void check(cudaError_t s, char const* what) {
  if (s != cudaSuccess) throw error(s, what);
}

/**
 * Stream-ordered caching resource.
 *
 * A block handed back with deallocate(p, bytes, s) may be given out again at once: an
 * allocation on `s` follows in stream order, one on another stream is put behind
 * everything that `s` held at the time of the deallocation.
 */
class caching_resource {
 public:
  caching_resource() = default;
  caching_resource(caching_resource const&) = delete;
  caching_resource& operator=(caching_resource const&) = delete;
  ~caching_resource();

  void* allocate(std::size_t bytes, cudaStream_t stream);
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept;

  std::size_t upstream_allocations() const;

 private:
  struct block {
    void* ptr;
    cudaStream_t stream;
    cudaEvent_t released;
  };
  static std::size_t size_class(std::size_t bytes);
  cudaEvent_t take_event();

  mutable std::mutex mutex_;
  std::multimap<std::size_t, block> free_;
  std::vector<cudaEvent_t> events_;
  std::vector<void*> owned_;
};

}  // namespace memkit
