#pragma once
#include <cstddef>
#include <new>
#include "status.h"

namespace spec {

// Bump allocator over one page-locked slab; parameters of kernels and small
// results live here.
class HostArena {
 public:
  HostArena() = default;
  HostArena(const HostArena&) = delete;
  ~HostArena() { cudaFreeHost(slab_); }

  Status reserve(size_t bytes) {
    SPEC_RETURN_IF_CUDA(cudaHostAlloc(&slab_, bytes, cudaHostAllocDefault));
    capacity_ = bytes;
    return {};
  }

  template <class T>
  T* make(size_t count = 1) {
    constexpr size_t align = 64;
    const size_t begin = (top_ + align - 1) / align * align;
    if (begin + count * sizeof(T) > capacity_) return nullptr;
    top_ = begin + count * sizeof(T);
    return new (static_cast<char*>(slab_) + begin) T[count]();
  }

  // Everything made inside a frame is given back when the frame ends.
  class Frame {
   public:
    explicit Frame(HostArena& arena) : arena_(arena), mark_(arena.top_) {}
    ~Frame() { arena_.top_ = mark_; }
    Frame(const Frame&) = delete;
    template <class T>
    T* make(size_t count = 1) { return arena_.make<T>(count); }

   private:
    HostArena& arena_;
    size_t mark_;
  };

 private:
  void* slab_ = nullptr;
  size_t capacity_ = 0;
  size_t top_ = 0;
};

}  // namespace spec
