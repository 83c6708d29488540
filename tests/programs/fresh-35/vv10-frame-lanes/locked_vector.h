#pragma once
#include <cstdlib>
#include <new>
#include <vector>

#include "check.h"

namespace flume {

// Whole pages, so that a block shares none with its neighbours on the heap.
template <typename T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::size_t kPage = 4096;

  PageAllocator() = default;
  template <typename U>
  PageAllocator(const PageAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = (n * sizeof(T) + kPage - 1) / kPage * kPage;
    void* p = std::aligned_alloc(kPage, bytes);
    if (!p) throw std::bad_alloc();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { std::free(p); }

  template <typename U>
  bool operator==(const PageAllocator<U>&) const { return true; }
  template <typename U>
  bool operator!=(const PageAllocator<U>&) const { return false; }
};

// A vector of fixed length that other libraries can read and write as usual.
template <typename T>
class LockedVector {
 public:
  explicit LockedVector(std::size_t n) : values_(n) {
    Check(cudaHostRegister(values_.data(), n * sizeof(T),
                           cudaHostRegisterDefault));
  }
  ~LockedVector() { cudaHostUnregister(values_.data()); }
  LockedVector(const LockedVector&) = delete;
  LockedVector& operator=(const LockedVector&) = delete;

  using Vector = std::vector<T, PageAllocator<T>>;
  const Vector& get() const { return values_; }
  Vector& get() { return values_; }
  std::size_t bytes() const { return values_.size() * sizeof(T); }

 private:
  Vector values_;
};

}  // namespace flume
