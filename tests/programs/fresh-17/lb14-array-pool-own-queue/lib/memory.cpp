#include "memory.hpp"

namespace fa {

DefaultMemoryManager& memoryManager() {
  static DefaultMemoryManager* m = new DefaultMemoryManager();
  return *m;
}

void memFree(void* ptr) { memoryManager().unlock(ptr); }
void deviceGC() { memoryManager().signalMemoryCleanup(); }

void* DefaultMemoryManager::nativeAlloc(size_t bytes) {
  void* ptr = nullptr;
  const cudaError_t err = cudaMalloc(&ptr, bytes);
  if (err == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    signalMemoryCleanup();
    FA_CUDA_CHECK(cudaMalloc(&ptr, bytes));
  } else {
    FA_CUDA_CHECK(err);
  }
  return ptr;
}

void* DefaultMemoryManager::alloc(size_t bytes) {
  if (bytes == 0) return nullptr;
  bytes = ((bytes + kStepSize - 1) / kStepSize) * kStepSize;
  {
    std::lock_guard<std::mutex> lock(memoryMutex_);
    auto bucket = free_.find(bytes);
    if (bucket != free_.end() && !bucket->second.empty()) {
      FreeInfo info = std::move(bucket->second.back());
      bucket->second.pop_back();
      info.ready.enqueueWait(getActiveQueue());
      locked_[info.ptr] = LockedInfo{bytes, getActiveQueueId()};
      usage_.lockBytes += bytes;
      usage_.lockBuffers++;
      return info.ptr;
    }
  }
  void* ptr = nativeAlloc(bytes);
  std::lock_guard<std::mutex> lock(memoryMutex_);
  locked_[ptr] = LockedInfo{bytes, getActiveQueueId()};
  usage_.allocBytes += bytes;
  usage_.allocBuffers++;
  usage_.lockBytes += bytes;
  usage_.lockBuffers++;
  return ptr;
}

void DefaultMemoryManager::unlock(void* ptr) {
  if (ptr == nullptr) return;
  std::lock_guard<std::mutex> lock(memoryMutex_);
  auto it = locked_.find(ptr);
  if (it == locked_.end()) {
    cudaFree(ptr);  // came from the user
    return;
  }
  const LockedInfo info = it->second;
  locked_.erase(it);
  usage_.lockBytes -= info.bytes;
  usage_.lockBuffers--;
  free_[info.bytes].push_back(FreeInfo{ptr, makeEvent(getQueueHandle(info.queue))});
}

void DefaultMemoryManager::signalMemoryCleanup() {
  std::vector<FreeInfo> victims;
  {
    std::lock_guard<std::mutex> lock(memoryMutex_);
    for (auto& bucket : free_) {
      for (auto& info : bucket.second) {
        usage_.allocBytes -= bucket.first;
        usage_.allocBuffers--;
        victims.push_back(std::move(info));
      }
      bucket.second.clear();
    }
  }
  for (auto& v : victims) {
    v.ready.block();
    FA_CUDA_CHECK(cudaFree(v.ptr));
  }
}

DefaultMemoryManager::Usage DefaultMemoryManager::usageInfo() {
  std::lock_guard<std::mutex> lock(memoryMutex_);
  return usage_;
}

}  // namespace fa
