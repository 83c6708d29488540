#pragma once
#include "platform.hpp"
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace fa {

/// Caches device buffers by size. A free buffer carries the event behind which it may be used again.
class DefaultMemoryManager {
 public:
  static constexpr size_t kStepSize = 1024;

  struct Usage {
    size_t allocBytes = 0, allocBuffers = 0, lockBytes = 0, lockBuffers = 0;
  };

  void* alloc(size_t bytes);
  void unlock(void* ptr);
  void signalMemoryCleanup();
  Usage usageInfo();

 private:
  struct LockedInfo {
    size_t bytes;
    int queue;
  };
  struct FreeInfo {
    void* ptr;
    Event ready;
  };
  void* nativeAlloc(size_t bytes);

  std::mutex memoryMutex_;
  std::unordered_map<void*, LockedInfo> locked_;
  std::map<size_t, std::vector<FreeInfo>> free_;
  Usage usage_;
};

DefaultMemoryManager& memoryManager();

void memFree(void* ptr);
void deviceGC();

template <typename T>
std::shared_ptr<T> memAlloc(size_t elements) {
  return std::shared_ptr<T>(static_cast<T*>(memoryManager().alloc(elements * sizeof(T))), [](T* p) { memFree(p); });
}

}  // namespace fa
