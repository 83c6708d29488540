#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace moe {

class error : public std::runtime_error {
 public:
  error(cudaError_t code, char const* what) : std::runtime_error(what), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t rc, char const* what)
{
  if (rc != cudaSuccess) throw error(rc, what);
}

/// Temporary storage for algorithms of one stream. Blocks are kept for the next algorithm.
class temp_arena {
 public:
  using value_type = char;

  temp_arena() = default;
  temp_arena(temp_arena const&) = delete;
  ~temp_arena()
  {
    for (auto& b : idle_) cudaFree(b.second);
    for (auto& b : busy_) cudaFree(b.first);
  }

  char* allocate(std::ptrdiff_t bytes)
  {
    std::size_t size = static_cast<std::size_t>(bytes);
    char* p          = nullptr;
    if (auto const it = idle_.lower_bound(size); it != idle_.end()) {
      size = it->first;
      p    = it->second;
      idle_.erase(it);
    } else {
      check(cudaMalloc(reinterpret_cast<void**>(&p), size), "temp_arena");
    }
    busy_.emplace(p, size);
    return p;
  }

  void deallocate(char* p, std::size_t)
  {
    auto const it = busy_.find(p);
    idle_.emplace(it->second, p);
    busy_.erase(it);
  }

 private:
  std::multimap<std::size_t, char*> idle_;
  std::map<char*, std::size_t> busy_;
};

/// One per stream. Not thread-safe.
class context {
 public:
  explicit context(cudaStream_t stream) : stream_(stream) {}
  context(context const&) = delete;
  ~context()
  {
    for (auto& a : arrays_) cudaFree(a.data);
  }

  cudaStream_t stream() const { return stream_; }
  temp_arena& temp() { return temp_; }

  /// Work array number `slot` with room for `n` ints; keeps its place unless it has to grow.
  int* ints(std::size_t slot, std::size_t n)
  {
    if (slot >= arrays_.size()) arrays_.resize(slot + 1);
    array& a = arrays_[slot];
    if (a.room < n) {
      check(cudaFree(a.data), "context::ints");
      a = {};
      check(cudaMalloc(reinterpret_cast<void**>(&a.data), n * sizeof(int)), "context::ints");
      a.room = n;
    }
    return a.data;
  }

 private:
  struct array {
    int* data        = nullptr;
    std::size_t room = 0;
  };
  cudaStream_t stream_;
  temp_arena temp_;
  std::vector<array> arrays_;
};

}  // namespace moe
