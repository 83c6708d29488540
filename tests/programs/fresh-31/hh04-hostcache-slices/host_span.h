#pragma once
#include "host_cache.h"

namespace feed {

// A typed range of host memory, plain or in a cached block.
template <class T>
class HostSpan {
 public:
  HostSpan(T* data, std::size_t size, HostBlock* home = nullptr)
      : data_(data), size_(size), home_(home) {}

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  HostBlock* home() const { return home_; }

  HostSpan subspan(std::size_t offset, std::size_t count) const {
    return HostSpan(data_ + offset, count, home_);
  }

  template <class U>
  HostSpan<U> as() const {
    return HostSpan<U>(reinterpret_cast<U*>(data_), bytes() / sizeof(U), home_);
  }

 private:
  T* data_;
  std::size_t size_;
  HostBlock* home_;
};

inline HostSpan<std::byte> span_of(HostBlock& block) {
  return HostSpan<std::byte>(block.data(), block.size(), &block);
}

template <class T>
void upload(T* dst, const HostSpan<T>& src, cudaStream_t stream) {
  check(cudaMemcpyAsync(dst, src.data(), src.bytes(), cudaMemcpyHostToDevice, stream));
  if (src.home()) src.home()->note_use(stream);
}

}  // namespace feed
