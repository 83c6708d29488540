#include "resource.hpp"

namespace memkit {

caching_resource::~caching_resource() {
  cudaDeviceSynchronize();
  for (auto& kv : free_) cudaEventDestroy(kv.second.released);
  for (auto e : events_) cudaEventDestroy(e);
  for (auto p : owned_) cudaFree(p);
}

std::size_t caching_resource::size_class(std::size_t bytes) {
  std::size_t c = 512;
  while (c < bytes) c <<= 1;
  return c;
}

cudaEvent_t caching_resource::take_event() {
  if (!events_.empty()) {
    auto e = events_.back();
    events_.pop_back();
    return e;
  }
  cudaEvent_t e;
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return e;
}

void* caching_resource::allocate(std::size_t bytes, cudaStream_t stream) {
  auto const cls = size_class(bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  auto [first, last] = free_.equal_range(cls);
  auto pick = first;
  for (auto it = first; it != last; ++it)
    if (it->second.stream == stream) { pick = it; break; }
  if (pick != last) {
    block const b = pick->second;
    free_.erase(pick);
    if (b.stream != stream)
      check(cudaStreamWaitEvent(stream, b.released, 0), "cudaStreamWaitEvent");
    events_.push_back(b.released);
    return b.ptr;
  }
  void* p = nullptr;
  check(cudaMalloc(&p, cls), "cudaMalloc");
  owned_.push_back(p);
  return p;
}

void caching_resource::deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  cudaEvent_t e = take_event();
  cudaEventRecord(e, stream);
  free_.emplace(size_class(bytes), block{p, stream, e});
}

std::size_t caching_resource::upstream_allocations() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return owned_.size();
}

}  // namespace memkit
