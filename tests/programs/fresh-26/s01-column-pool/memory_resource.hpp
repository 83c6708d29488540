#pragma once
// tabula: columnar algorithms. Device memory resources.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tabula {

class cuda_error : public std::runtime_error {
 public:
  explicit cuda_error(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void check(cudaError_t code)
{
  if (code != cudaSuccess) throw cuda_error(code);
}

namespace mr {

// Memory is handed out and taken back in the order of a stream: a block given back with stream s
// may be handed to a later request of s at once.
class device_memory_resource {
 public:
  virtual ~device_memory_resource()                                                = default;
  virtual void* allocate(std::size_t bytes, cudaStream_t stream)                   = 0;
  virtual void deallocate(void* ptr, std::size_t bytes, cudaStream_t stream) noexcept = 0;
};

// One slab, cut on demand; free blocks are kept by the stream that gave them back. A request that
// its own stream's bucket cannot serve takes from another bucket, behind that bucket's stream.
class pool_resource final : public device_memory_resource {
 public:
  explicit pool_resource(std::size_t slab_bytes);
  ~pool_resource() override;
  pool_resource(pool_resource const&)            = delete;
  pool_resource& operator=(pool_resource const&) = delete;

  void* allocate(std::size_t bytes, cudaStream_t stream) override;
  void deallocate(void* ptr, std::size_t bytes, cudaStream_t stream) noexcept override;

  std::size_t high_water() const noexcept { return cut_; }

 private:
  struct bucket {
    cudaEvent_t released{};
    std::vector<std::pair<void*, std::size_t>> blocks;
  };

  static std::size_t round_up(std::size_t bytes) { return (bytes + 511) / 512 * 512; }
  static void* take(bucket& from, std::size_t bytes);
  bucket& bucket_of(cudaStream_t stream);

  std::mutex mutex_;
  char* slab_{};
  std::size_t slab_bytes_{};
  std::size_t cut_{};
  std::map<cudaStream_t, bucket> buckets_;
};

}  // namespace mr
}  // namespace tabula
