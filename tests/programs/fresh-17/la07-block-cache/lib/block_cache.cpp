#include "block_cache.h"

namespace grove
{

block_cache::block_cache(std::size_t max_cached_bytes)
    : max_cached_(max_cached_bytes)
{}

block_cache::~block_cache()
{
  std::lock_guard<std::mutex> lock(mutex_);
  trim_locked();
}

std::size_t block_cache::bin_of(std::size_t bytes)
{
  std::size_t bin = 512;
  while (bin < bytes)
  {
    bin <<= 1;
  }
  return bin;
}

char* block_cache::acquire(std::size_t bytes, cudaStream_t stream)
{
  const std::size_t bin = bin_of(bytes);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto it = free_.find(make_key(bin, stream));
    if (it != free_.end())
    {
      char* const ptr = it->second;
      free_.erase(it);
      live_.emplace(ptr, bin);
      ++stats_.hits;
      stats_.cached -= bin;
      stats_.outstanding += bin;
      return ptr;
    }
    ++stats_.misses;
  }

  void* raw              = nullptr;
  cudaError_t status     = cudaMalloc(&raw, bin);
  if (status == cudaErrorMemoryAllocation)
  {
    cudaGetLastError();
    trim();
    status = cudaMalloc(&raw, bin);
  }
  throw_on_error(status, "block_cache: cudaMalloc");

  std::lock_guard<std::mutex> lock(mutex_);
  live_.emplace(static_cast<char*>(raw), bin);
  stats_.outstanding += bin;
  return static_cast<char*>(raw);
}

void block_cache::release(char* ptr, cudaStream_t stream)
{
  if (ptr == nullptr)
  {
    return;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = live_.find(ptr);
  if (it == live_.end())
  {
    return;
  }
  const std::size_t bin = it->second;
  live_.erase(it);
  stats_.outstanding -= bin;
  if (stats_.cached + bin > max_cached_)
  {
    cudaFree(ptr); // waits for the device
    return;
  }
  free_.emplace(make_key(bin, stream), ptr);
  stats_.cached += bin;
}

void block_cache::trim()
{
  std::lock_guard<std::mutex> lock(mutex_);
  trim_locked();
}

void block_cache::trim_locked()
{
  for (auto& entry : free_)
  {
    cudaFree(entry.second);
    stats_.cached -= bin_of_key(entry.first);
  }
  free_.clear();
}

block_cache::statistics block_cache::stats() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

} // namespace grove
