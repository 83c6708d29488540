#include "pinned_cache.h"

namespace beacon {

PinnedCache::~PinnedCache() {
  for (void* p : all_) cudaFreeHost(p);
}

std::size_t PinnedCache::size_class(std::size_t bytes) {
  std::size_t c = 4096;
  while (c < bytes) c *= 2;
  return c;
}

void* PinnedCache::take(std::size_t bytes) {
  const std::size_t c = size_class(bytes);
  std::lock_guard<std::mutex> lock(mu_);
  std::vector<void*>& shelf = idle_[c];
  if (!shelf.empty()) {
    void* p = shelf.back();
    shelf.pop_back();
    return p;
  }
  void* p = nullptr;
  check(cudaMallocHost(&p, c));
  all_.push_back(p);
  return p;
}

void PinnedCache::give(void* p, std::size_t bytes) noexcept {
  std::lock_guard<std::mutex> lock(mu_);
  idle_[size_class(bytes)].push_back(p);
}

}  // namespace beacon
