// Page-locked staging memory for descriptor tables and small transfers.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace colframe {

/// Throws std::runtime_error with the name of the error.
void throw_on_error(cudaError_t status, const char* what);

namespace detail {

/// Process-wide pool of page-locked blocks, in power-of-two size classes.
/// All members may be called from several threads.
class pinned_pool {
 public:
  static pinned_pool& instance();

  void* acquire(std::size_t bytes);
  void release(void* block, std::size_t bytes) noexcept;

  std::size_t blocks_allocated() const;

 private:
  pinned_pool() = default;
  static std::size_t size_class(std::size_t bytes);

  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;
  std::size_t allocated_ = 0;
};

/// Fixed-size array in memory of the pool.
template <typename T>
class host_array {
 public:
  explicit host_array(std::size_t n)
      : size_(n), data_(static_cast<T*>(pinned_pool::instance().acquire(n * sizeof(T)))) {}
  ~host_array() {
    if (data_) pinned_pool::instance().release(data_, size_ * sizeof(T));
  }
  host_array(const host_array&) = delete;
  host_array& operator=(const host_array&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  std::size_t size_;
  T* data_;
};

}  // namespace detail
}  // namespace colframe
