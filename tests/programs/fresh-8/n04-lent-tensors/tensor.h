#pragma once
#include <algorithm>
#include <utility>

#include "block_cache.h"

// A flat device array that belongs to one stream and may be lent to others.
template <class T>
class Tensor {
 public:
  Tensor(std::size_t n, cudaStream_t home)
      : n_(n), block_(mem::BlockCache::instance().acquire(n * sizeof(T), home)) {}

  Tensor(Tensor&& o) noexcept : n_(o.n_), block_(std::exchange(o.block_, nullptr)) {}

  Tensor& operator=(Tensor&& o) noexcept {
    Tensor t(std::move(o));
    swap(t);
    return *this;
  }

  ~Tensor() {
    if (block_) mem::BlockCache::instance().release(block_, borrowers_);
  }

  void swap(Tensor& o) noexcept {
    std::swap(n_, o.n_);
    std::swap(block_, o.block_);
    borrowers_.swap(o.borrowers_);
  }

  void lendTo(cudaStream_t s) {
    if (std::find(borrowers_.begin(), borrowers_.end(), s) == borrowers_.end())
      borrowers_.push_back(s);
  }

  T* data() { return static_cast<T*>(block_->ptr); }
  const T* data() const { return static_cast<const T*>(block_->ptr); }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_;
  mem::Block* block_;
  std::vector<cudaStream_t> borrowers_;
};
