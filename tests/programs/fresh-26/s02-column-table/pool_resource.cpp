#include "memory_resource.hpp"

#include <new>

namespace tabula::mr {

pool_resource::pool_resource(std::size_t slab_bytes) : slab_bytes_{round_up(slab_bytes)}
{
  void* p = nullptr;
  check(cudaMalloc(&p, slab_bytes_));
  slab_ = static_cast<char*>(p);
}

pool_resource::~pool_resource()
{
  for (auto& [stream, b] : buckets_) cudaEventDestroy(b.released);
  cudaFree(slab_);
}

pool_resource::bucket& pool_resource::bucket_of(cudaStream_t stream)
{
  auto it = buckets_.find(stream);
  if (it == buckets_.end()) {
    it = buckets_.emplace(stream, bucket{}).first;
    check(cudaEventCreateWithFlags(&it->second.released, cudaEventDisableTiming));
  }
  return it->second;
}

// The most recently returned block of the right size is the warmest one.
void* pool_resource::take(bucket& from, std::size_t bytes)
{
  for (auto it = from.blocks.rbegin(); it != from.blocks.rend(); ++it) {
    if (it->second != bytes) continue;
    void* p = it->first;
    from.blocks.erase(std::next(it).base());
    return p;
  }
  return nullptr;
}

void* pool_resource::allocate(std::size_t bytes, cudaStream_t stream)
{
  std::size_t const want = round_up(bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  if (void* p = take(bucket_of(stream), want)) return p;

  for (auto& [owner, b] : buckets_) {
    if (owner == stream) continue;
    if (void* p = take(b, want)) {
      check(cudaEventRecord(b.released, owner));
      check(cudaStreamWaitEvent(stream, b.released, 0));
      return p;
    }
  }

  if (cut_ + want > slab_bytes_) throw std::bad_alloc();
  void* p = slab_ + cut_;
  cut_ += want;
  return p;
}

void pool_resource::deallocate(void* ptr, std::size_t bytes, cudaStream_t stream) noexcept
{
  std::lock_guard<std::mutex> lock(mutex_);
  bucket_of(stream).blocks.emplace_back(ptr, round_up(bytes));
}

}  // namespace tabula::mr
