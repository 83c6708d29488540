#include "pinned_pool.hpp"

#include <stdexcept>
#include <string>

namespace colframe {

void throw_on_error(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(cudaGetErrorName(status)) + " in " + what);
}

namespace detail {

pinned_pool& pinned_pool::instance() {
  // Lives as long as the process: tables may be returned by static destructors.
  static pinned_pool* pool = new pinned_pool;
  return *pool;
}

std::size_t pinned_pool::size_class(std::size_t bytes) {
  std::size_t c = 4096;
  while (c < bytes) c <<= 1;
  return c;
}

void* pinned_pool::acquire(std::size_t bytes) {
  const std::size_t c = size_class(bytes);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto& list = free_[c];
    if (!list.empty()) {
      void* block = list.back();
      list.pop_back();
      return block;
    }
    ++allocated_;
  }
  void* block = nullptr;
  throw_on_error(cudaHostAlloc(&block, c, cudaHostAllocPortable), "pinned_pool::acquire");
  return block;
}

void pinned_pool::release(void* block, std::size_t bytes) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  free_[size_class(bytes)].push_back(block);
}

std::size_t pinned_pool::blocks_allocated() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return allocated_;
}

}  // namespace detail
}  // namespace colframe
