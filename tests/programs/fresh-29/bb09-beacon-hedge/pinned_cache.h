#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace beacon {

struct Error : std::runtime_error {
  explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw Error(e);
}

/// Page-locked host memory. Locking pages takes long, so blocks are kept and handed out again.
class PinnedCache {
 public:
  PinnedCache() = default;
  ~PinnedCache();
  PinnedCache(const PinnedCache&) = delete;
  PinnedCache& operator=(const PinnedCache&) = delete;

  void* take(std::size_t bytes);
  void give(void* p, std::size_t bytes) noexcept;

 private:
  static std::size_t size_class(std::size_t bytes);

  std::mutex mu_;
  std::map<std::size_t, std::vector<void*>> idle_;
  std::vector<void*> all_;
};

}  // namespace beacon
