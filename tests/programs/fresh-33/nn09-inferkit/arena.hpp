#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace ik {
struct RuntimeError : std::runtime_error {
  explicit RuntimeError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw RuntimeError(e);
}

// Bump allocator for layer workspaces, a list of blocks.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { for (Block& b : blocks_) cudaFree(b.base); }
  static constexpr std::size_t align(std::size_t n) { return (n + 255) & ~std::size_t{255}; }
  void rewind() { block_ = used_ = 0; }

  void reserve(std::size_t bytes) {
    for (const Block& b : blocks_)
      if (b.size >= bytes) return;
    grow(bytes);
  }
  template <class T>
  T* take(std::size_t count) {
    const std::size_t bytes = align(count * sizeof(T));
    while (block_ < blocks_.size() && used_ + bytes > blocks_[block_].size) {
      ++block_;
      used_ = 0;
    }
    if (block_ == blocks_.size()) grow(bytes);
    char* p = blocks_[block_].base + used_;
    used_ += bytes;
    return reinterpret_cast<T*>(p);
  }

 private:
  struct Block {
    char* base;
    std::size_t size;
  };

  void grow(std::size_t bytes) {
    void* p = nullptr;
    check(cudaMalloc(&p, bytes));
    blocks_.push_back({static_cast<char*>(p), bytes});
  }
  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};
}  // namespace ik
