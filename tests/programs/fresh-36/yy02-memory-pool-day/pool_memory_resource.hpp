#pragma once

#include "stream_ordered_memory_resource.hpp"

#include <new>
#include <vector>

namespace strata::mr {

template <typename Upstream>
class pool_memory_resource final : public detail::stream_ordered_memory_resource<pool_memory_resource<Upstream>> {
 public:
  friend class detail::stream_ordered_memory_resource<pool_memory_resource<Upstream>>;

  pool_memory_resource(Upstream* upstream, std::size_t initial_size, std::size_t maximum_size)
    : upstream_{upstream}, remaining_{maximum_size} {
    expand_pool(initial_size, cuda_stream_legacy);
  }
  ~pool_memory_resource() override {
    for (auto const& b : upstream_blocks_) { upstream_->deallocate(b.ptr, b.size); }
  }

 private:
  void expand_pool(std::size_t size, cuda_stream_view stream) {
    if (size > remaining_) { throw std::bad_alloc{}; }
    upstream_blocks_.push_back({static_cast<char*>(upstream_->allocate(size)), size});
    remaining_ -= size;
    this->insert_block(upstream_blocks_.back(), stream);
  }

  Upstream* upstream_;
  std::size_t remaining_;
  std::vector<detail::block> upstream_blocks_;
};

}  // namespace strata::mr
