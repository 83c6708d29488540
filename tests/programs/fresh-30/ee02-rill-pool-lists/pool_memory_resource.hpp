// rill: coalescing best-fit pool with one free list for each stream.
#pragma once

#include "memory_resource.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace rill {
namespace detail {

struct block {
  char* ptr{};
  std::size_t size{};
  bool is_head{};

  [[nodiscard]] bool is_valid() const noexcept { return ptr != nullptr; }
  [[nodiscard]] bool fits(std::size_t bytes) const noexcept { return size >= bytes; }
  [[nodiscard]] bool is_contiguous_before(block const& next) const noexcept
  {
    return ptr + size == next.ptr && !next.is_head;
  }
  [[nodiscard]] block merge(block const& next) const noexcept
  {
    return block{ptr, size + next.size, is_head};
  }
};

class coalescing_free_list {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return blocks_.empty(); }

  void insert(block b)
  {
    auto next = std::find_if(
      blocks_.begin(), blocks_.end(), [&](block const& other) { return b.ptr < other.ptr; });
    if (next != blocks_.begin()) {
      auto prev = std::prev(next);
      if (prev->is_contiguous_before(b)) {
        b    = prev->merge(b);
        next = blocks_.erase(prev);
      }
    }
    if (next != blocks_.end() && b.is_contiguous_before(*next)) {
      b    = b.merge(*next);
      next = blocks_.erase(next);
    }
    blocks_.insert(next, b);
  }

  void insert(coalescing_free_list&& other)
  {
    for (auto const& b : other.blocks_) { insert(b); }
    other.blocks_.clear();
  }

  /// Removes and returns the smallest block of at least `bytes`.
  [[nodiscard]] block get_block(std::size_t bytes)
  {
    auto best = blocks_.end();
    for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
      if (it->fits(bytes) && (best == blocks_.end() || it->size < best->size)) { best = it; }
    }
    if (best == blocks_.end()) { return block{}; }
    block const found = *best;
    blocks_.erase(best);
    return found;
  }

 private:
  std::list<block> blocks_;
};

}  // namespace detail

/// Sub-allocates large upstream blocks. Blocks returned on a stream are kept in the free list of
/// that stream, together with an event that marks how far the stream had to come.
template <typename Upstream>
class pool_memory_resource final : public device_memory_resource {
 public:
  pool_memory_resource(Upstream* upstream, std::size_t initial_bytes, std::size_t maximum_bytes)
    : upstream_{upstream}, maximum_{align_up(maximum_bytes, allocation_alignment)}
  {
    RILL_EXPECTS(upstream != nullptr, "null upstream resource");
    RILL_EXPECTS(initial_bytes <= maximum_bytes, "initial size above the maximum");
    if (initial_bytes > 0) {
      list_of(stream_view{}).blocks.insert(
        from_upstream(align_up(initial_bytes, allocation_alignment), stream_view{}));
    }
  }

  ~pool_memory_resource() override
  {
    RILL_NOEXCEPT_CUDA(cudaDeviceSynchronize());
    for (auto const& b : upstream_blocks_) { upstream_->deallocate(b.ptr, b.size, stream_view{}); }
    for (auto& list : lists_) { RILL_NOEXCEPT_CUDA(cudaEventDestroy(list.event)); }
  }

  pool_memory_resource(pool_memory_resource const&)            = delete;
  pool_memory_resource& operator=(pool_memory_resource const&) = delete;

  [[nodiscard]] std::size_t pool_size() const noexcept { return size_; }

 private:
  struct stream_list {
    stream_view stream;
    cudaEvent_t event{};
    detail::coalescing_free_list blocks;
  };

  void* do_allocate(std::size_t bytes, stream_view stream) override
  {
    std::lock_guard<std::mutex> lock{mutex_};
    auto& own           = list_of(stream);
    detail::block found = own.blocks.get_block(bytes);
    if (!found.is_valid()) { found = take_from_other(bytes, own); }
    if (!found.is_valid()) { found = merge_others(bytes, own); }
    if (!found.is_valid()) { found = from_upstream(bytes, stream); }
    return split(found, bytes, own);
  }

  void do_deallocate(void* ptr, std::size_t, stream_view stream) override
  {
    std::lock_guard<std::mutex> lock{mutex_};
    auto const it = allocated_.find(ptr);
    RILL_EXPECTS(it != allocated_.end(), "pointer is not from this pool");
    auto& own = list_of(stream);
    RILL_CUDA_TRY(cudaEventRecord(own.event, stream));
    own.blocks.insert(it->second);
    allocated_.erase(it);
  }

  /// Chains the list of one stream to that of another.
  static void order_after(stream_list& own, stream_list const& other)
  {
    RILL_CUDA_TRY(cudaStreamWaitEvent(own.stream, other.event, 0));
    RILL_CUDA_TRY(cudaEventRecord(own.event, own.stream));
  }

  /// A block of one other stream that is large enough as it is.
  detail::block take_from_other(std::size_t bytes, stream_list& own)
  {
    for (auto& other : lists_) {
      if (&other == &own) { continue; }
      detail::block const found = other.blocks.get_block(bytes);
      if (found.is_valid()) {
        order_after(own, other);
        return found;
      }
    }
    return detail::block{};
  }

  /// Moves the blocks of other streams over, list by list, until neighbours form a large one.
  detail::block merge_others(std::size_t bytes, stream_list& own)
  {
    for (auto& other : lists_) {
      if (&other == &own || other.blocks.is_empty()) { continue; }
      order_after(own, other);
      own.blocks.insert(std::move(other.blocks));
      detail::block const found = own.blocks.get_block(bytes);
      if (found.is_valid()) { return found; }
    }
    return detail::block{};
  }

  void* split(detail::block found, std::size_t bytes, stream_list& own)
  {
    detail::block const front{found.ptr, bytes, found.is_head};
    if (found.size > bytes) {
      own.blocks.insert(detail::block{found.ptr + bytes, found.size - bytes, false});
    }
    allocated_.emplace(front.ptr, front);
    return front.ptr;
  }

  detail::block from_upstream(std::size_t bytes, stream_view stream)
  {
    if (size_ + bytes > maximum_) { throw out_of_memory{}; }
    auto* ptr = static_cast<char*>(upstream_->allocate(bytes, stream));
    size_ += bytes;
    upstream_blocks_.push_back(detail::block{ptr, bytes, true});
    return upstream_blocks_.back();
  }

  stream_list& list_of(stream_view stream)
  {
    for (auto& list : lists_) {
      if (list.stream == stream) { return list; }
    }
    stream_list fresh;
    fresh.stream = stream;
    RILL_CUDA_TRY(cudaEventCreateWithFlags(&fresh.event, cudaEventDisableTiming));
    lists_.push_back(std::move(fresh));
    return lists_.back();
  }

  Upstream* upstream_;
  std::size_t maximum_;
  std::size_t size_{};
  std::mutex mutex_;
  std::list<stream_list> lists_;
  std::vector<detail::block> upstream_blocks_;
  std::unordered_map<void*, detail::block> allocated_;
};

}  // namespace rill
