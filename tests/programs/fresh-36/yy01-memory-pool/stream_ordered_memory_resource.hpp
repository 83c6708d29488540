#pragma once

#include "device_memory_resource.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace strata::mr::detail {

struct block {
  char* ptr{nullptr};
  std::size_t size{0};
  [[nodiscard]] bool is_valid() const noexcept { return ptr != nullptr; }
};

class free_list {
 public:
  void insert(block const& b) { blocks_.emplace(b.ptr, b.size); }

  /// Takes `size` bytes of the best fitting block; the remainder stays in the list.
  block get_block(std::size_t size) {
    auto best = blocks_.end();
    for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
      if (it->second >= size && (best == blocks_.end() || it->second < best->second)) { best = it; }
    }
    if (best == blocks_.end()) { return {}; }
    auto const [ptr, found] = *best;
    blocks_.erase(best);
    if (found > size) { blocks_.emplace(ptr + size, found - size); }
    return {ptr, size};
  }

 private:
  std::map<char*, std::size_t> blocks_;
};

/// CRTP base of suballocators: a free list and an event for each stream.
template <typename PoolResource>
class stream_ordered_memory_resource : public device_memory_resource {
 public:
  ~stream_ordered_memory_resource() override {
    for (auto const& [stream, event] : events_) { cudaEventDestroy(event); }
  }

 protected:
  struct stream_event_pair {
    cudaStream_t stream;
    cudaEvent_t event;
    bool operator<(stream_event_pair const& rhs) const { return event < rhs.event; }
  };

  void insert_block(block const& b, cuda_stream_view stream) { stream_free_blocks_[get_event(stream)].insert(b); }

 private:
  PoolResource& underlying() { return static_cast<PoolResource&>(*this); }

  void* do_allocate(std::size_t size, cuda_stream_view stream) override {
    std::lock_guard<std::mutex> lock(mtx_);
    return get_block(size, get_event(stream)).ptr;
  }

  void do_deallocate(void* ptr, std::size_t size, cuda_stream_view stream) override {
    std::lock_guard<std::mutex> lock(mtx_);
    auto const stream_event = get_event(stream);
    STRATA_CUDA_TRY(cudaEventRecord(stream_event.event));
    stream_free_blocks_[stream_event].insert(block{static_cast<char*>(ptr), size});
  }

  stream_event_pair get_event(cuda_stream_view stream) {
    auto const iter = events_.find(stream.value());
    if (iter != events_.end()) { return {iter->first, iter->second}; }
    cudaEvent_t event{};
    STRATA_CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    events_.emplace(stream.value(), event);
    return {stream.value(), event};
  }

  block get_block(std::size_t size, stream_event_pair stream_event) {
    if (block const b = stream_free_blocks_[stream_event].get_block(size); b.is_valid()) { return b; }
    for (auto& [other, blocks] : stream_free_blocks_) {
      if (block const b = blocks.get_block(size); b.is_valid()) {
        STRATA_CUDA_TRY(cudaStreamWaitEvent(stream_event.stream, other.event, 0));
        return b;
      }
    }
    underlying().expand_pool(size, stream_event.stream);
    return stream_free_blocks_[stream_event].get_block(size);
  }

  std::map<stream_event_pair, free_list> stream_free_blocks_;
  std::map<cudaStream_t, cudaEvent_t> events_;
  std::mutex mtx_;
};

}  // namespace strata::mr::detail
