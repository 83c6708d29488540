#include "resource.hpp"

namespace mr {

pool_memory_resource::~pool_memory_resource()
{
  for (auto& [size, block] : free_) cudaEventDestroy(block.released);
  for (auto e : spare_events_) cudaEventDestroy(e);
  for (auto& [p, size] : owned_) upstream_->deallocate(p, size, stream_view{});
}

void* pool_memory_resource::do_allocate(std::size_t bytes, stream_view stream)
{
  std::lock_guard<std::mutex> lock(mutex_);
  auto const size = round(bytes);
  auto it         = free_.lower_bound(size);
  if (it != free_.end() && it->first <= 2 * size) {
    free_block block = it->second;
    free_.erase(it);
    if (block.stream != stream) check(cudaStreamWaitEvent(stream, block.released, 0));
    spare_events_.push_back(block.released);
    return block.ptr;
  }
  void* p = upstream_->allocate(size, stream);
  owned_.emplace_back(p, size);
  return p;
}

void pool_memory_resource::do_deallocate(void* p, std::size_t bytes, stream_view stream)
{
  std::lock_guard<std::mutex> lock(mutex_);
  std::size_t size = round(bytes);
  for (auto& [q, s] : owned_)
    if (q == p) size = s;
  cudaEvent_t e{};
  if (spare_events_.empty()) {
    check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  } else {
    e = spare_events_.back();
    spare_events_.pop_back();
  }
  check(cudaEventRecord(e, stream));
  free_.emplace(size, free_block{p, stream, e});
}

void* statistics_adaptor::do_allocate(std::size_t bytes, stream_view stream)
{
  void* p = upstream_->allocate(bytes, stream);
  std::lock_guard<std::mutex> lock(mutex_);
  current_ += bytes;
  if (current_ > peak_) peak_ = current_;
  return p;
}

void statistics_adaptor::do_deallocate(void* p, std::size_t bytes, stream_view stream)
{
  upstream_->deallocate(p, bytes, stream);
  std::lock_guard<std::mutex> lock(mutex_);
  current_ -= bytes;
}

void* limiting_adaptor::do_allocate(std::size_t bytes, stream_view stream)
{
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (used_ + bytes > limit_) throw std::bad_alloc();
    used_ += bytes;
  }
  return upstream_->allocate(bytes, stream);
}

void limiting_adaptor::do_deallocate(void* p, std::size_t bytes, stream_view stream)
{
  upstream_->deallocate(p, bytes, stream);
  std::lock_guard<std::mutex> lock(mutex_);
  used_ -= bytes;
}

void* aligned_adaptor::do_allocate(std::size_t bytes, stream_view stream)
{
  if (alignment_ <= 256) return upstream_->allocate(bytes, stream);
  void* base        = upstream_->allocate(padded(bytes), stream);
  auto const raw    = reinterpret_cast<std::uintptr_t>(base);
  void* aligned     = reinterpret_cast<void*>((raw + alignment_ - 1) / alignment_ * alignment_);
  if (aligned != base) {
    std::lock_guard<std::mutex> lock(mutex_);
    bases_.emplace(aligned, base);
  }
  return aligned;
}

void aligned_adaptor::do_deallocate(void* p, std::size_t bytes, stream_view stream)
{
  if (alignment_ <= 256) {
    upstream_->deallocate(p, bytes, stream);
    return;
  }
  void* base = p;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = bases_.find(p);
    if (it != bases_.end()) {
      base = it->second;
      bases_.erase(it);
    }
  }
  upstream_->deallocate(base, padded(bytes), stream);
}

}  // namespace mr
