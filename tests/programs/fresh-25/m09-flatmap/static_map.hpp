#pragma once

#include "error.hpp"

#include <cstddef>

namespace flatmap {

namespace detail {
template <typename Key, typename Value>
struct slot;
}

/// Fixed-capacity open-addressing map. `capacity` is a power of two. The stream of the
/// constructor serves for its set-up only; the table may be used in any stream afterwards.
template <typename Key, typename Value>
class static_map {
 public:
  using slot_type = detail::slot<Key, Value>;

  static_map(std::size_t capacity, Key empty_key, Value missing, cudaStream_t stream);
  ~static_map();
  static_map(static_map const&)            = delete;
  static_map& operator=(static_map const&) = delete;

  /// Asynchronous with respect to the host.
  void insert(Key const* keys, Value const* values, std::size_t n, cudaStream_t stream);
  void find(Key const* keys, Value* out, std::size_t n, cudaStream_t stream) const;

  /// Number of elements after all the work enqueued in `stream`. Synchronises with the host.
  std::size_t size(cudaStream_t stream) const;

  std::size_t capacity() const noexcept { return capacity_; }

 private:
  std::size_t capacity_;
  Key empty_;
  Value missing_;
  cudaStream_t stream_;
  slot_type* slots_{nullptr};
  unsigned* d_total_{nullptr};
  unsigned* h_total_{nullptr};
};

}  // namespace flatmap
