#pragma once

#include <cuda_runtime.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>

namespace grove
{

inline void throw_on_error(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
  {
    cudaGetLastError();
    throw thrust::system_error(status, thrust::cuda_category(), what);
  }
}

/*! \brief Keeps device blocks between algorithm calls instead of giving them back to the driver.
 *
 *  Blocks are rounded up to powers of two (the "bin") so that calls of similar sizes share them.
 *  Thread safe.
 */
class block_cache
{
public:
  struct statistics
  {
    std::size_t hits        = 0;
    std::size_t misses      = 0;
    std::size_t cached      = 0;
    std::size_t outstanding = 0;
  };

  explicit block_cache(std::size_t max_cached_bytes = std::size_t{1} << 30);
  block_cache(const block_cache&)            = delete;
  block_cache& operator=(const block_cache&) = delete;
  ~block_cache();

  char* acquire(std::size_t bytes, cudaStream_t stream);
  void release(char* ptr, cudaStream_t stream);
  void trim();
  statistics stats() const;

  static std::size_t bin_of(std::size_t bytes);

private:
  using key = std::size_t;
  static key make_key(std::size_t bin, cudaStream_t)
  {
    return bin;
  }
  static std::size_t bin_of_key(const key& k)
  {
    return k;
  }

  void trim_locked();

  mutable std::mutex mutex_;
  std::multimap<key, char*> free_;
  std::unordered_map<char*, std::size_t> live_;
  std::size_t max_cached_;
  statistics stats_;
};

/*! \brief What Thrust's policies take: allocates bytes for the calls on one stream. */
class stream_allocator
{
public:
  using value_type = char;

  stream_allocator(block_cache& cache, cudaStream_t stream)
      : cache_(&cache)
      , stream_(stream)
  {}

  char* allocate(std::ptrdiff_t num_bytes)
  {
    return cache_->acquire(static_cast<std::size_t>(num_bytes), stream_);
  }

  void deallocate(char* ptr, std::size_t)
  {
    cache_->release(ptr, stream_);
  }

private:
  block_cache* cache_;
  cudaStream_t stream_;
};

} // namespace grove
