#pragma once

#include "memory.hpp"

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>

namespace tabula::detail {

/// Temporary storage of Thrust's algorithms, from a memory resource.
class temporary_allocator {
 public:
  using value_type = char;

  temporary_allocator(stream_view stream, memory_resource* mr) : stream_(stream), mr_(mr) {}
  char* allocate(std::ptrdiff_t bytes) { return static_cast<char*>(mr_->allocate(static_cast<std::size_t>(bytes), stream_)); }
  void deallocate(char* p, std::size_t bytes) noexcept { mr_->deallocate(p, bytes, stream_); }

 private:
  stream_view stream_;
  memory_resource* mr_;
};

inline auto exec_policy(stream_view stream = {}, memory_resource* mr = default_resource()) {
  return thrust::cuda::par_nosync(temporary_allocator(stream, mr)).on(stream.value());
}

}  // namespace tabula::detail
