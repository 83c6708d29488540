// Scratch memory for table operators: one slab, handed out in pieces per stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace tbl {

struct cuda_failure : std::runtime_error {
  explicit cuda_failure(cudaError_t c) : std::runtime_error(cudaGetErrorString(c)), code(c) {}
  cudaError_t code;
};

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw cuda_failure(code);
}

class arena;

/// A piece of the arena for work on one stream. Goes back to the arena when it
/// is destroyed, which does not block.
class lease {
 public:
  lease(const lease&) = delete;
  ~lease();

  template <class T>
  T* as() const noexcept { return reinterpret_cast<T*>(base_); }

 private:
  friend class arena;
  lease(arena& owner, char* base, std::size_t bytes, cudaStream_t stream)
      : owner_(owner), base_(base), bytes_(bytes), stream_(stream) {}

  arena& owner_;
  char* base_;
  std::size_t bytes_;
  cudaStream_t stream_;
};

/// Thread-safe. A lease may be taken for any stream; streams must outlive the
/// leases that were taken for them.
class arena {
 public:
  explicit arena(std::size_t bytes);
  ~arena();

  lease take(std::size_t bytes, cudaStream_t stream);

 private:
  friend class lease;
  struct extent {
    std::size_t bytes;
    std::vector<cudaEvent_t> after;  // last users of these bytes
  };
  using extents = std::map<char*, extent>;
  extents::iterator best_fit(std::size_t want);
  void merge_neighbours();
  void give_back(char* base, std::size_t bytes, cudaStream_t stream);

  std::mutex mutex_;
  char* slab_ = nullptr;
  extents free_;
};

}  // namespace tbl
