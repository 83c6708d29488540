#include "resource.hpp"

namespace corr {
namespace {

std::size_t rounded(std::size_t bytes) {
  std::size_t size = 4096;
  while (size < bytes) size *= 2;
  return size;
}

}  // namespace

caching_resource::~caching_resource() {
  for (void* p : owned_) cudaFree(p);
}

void* caching_resource::allocate(std::size_t bytes, [[maybe_unused]] cudaStream_t stream) {
  const std::size_t size = rounded(bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  auto& blocks = free_[{stream, size}];
  if (!blocks.empty()) {
    void* p = blocks.back();
    blocks.pop_back();
    return p;
  }
  void* p = nullptr;
  check(cudaMalloc(&p, size));
  owned_.push_back(p);
  footprint_ += size;
  return p;
}

void caching_resource::deallocate(void* p, std::size_t bytes, [[maybe_unused]] cudaStream_t stream) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  free_[{stream, rounded(bytes)}].push_back(p);
}

std::size_t caching_resource::footprint() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return footprint_;
}

}  // namespace corr
