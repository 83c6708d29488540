#include "context.hpp"

namespace tx {
namespace {
thread_local CUDAStream current_stream;
}

CUDAStream getCurrentCUDAStream() { return current_stream; }

void setCurrentCUDAStream(CUDAStream stream) { current_stream = stream; }

CUDAStream getStreamFromPool() {
  constexpr int kStreams = 4;
  static std::mutex mutex;
  static cudaStream_t pool[kStreams] = {};
  static unsigned next = 0;
  std::lock_guard<std::mutex> lock(mutex);
  cudaStream_t& s = pool[next++ % kStreams];
  if (s == nullptr) TX_CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return CUDAStream(s);
}

CachingAllocator& CachingAllocator::get() {
  static auto* instance = new CachingAllocator;
  return *instance;
}

void* CachingAllocator::allocate(std::size_t bytes, cudaStream_t stream) {
  const Key key{stream, (bytes + 511) / 512 * 512};
  std::lock_guard<std::mutex> lock(mutex_);
  void* p = nullptr;
  if (auto it = free_.find(key); it != free_.end()) {
    p = it->second;
    free_.erase(it);
  } else {
    TX_CUDA_CHECK(cudaMalloc(&p, key.second));
  }
  used_.emplace(p, key);
  return p;
}

void CachingAllocator::release(void* p) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto it = used_.find(p);
  free_.emplace(it->second, p);
  used_.erase(it);
}
}  // namespace tx
