// rill: the resource interface and the two simplest resources.
#pragma once

#include "stream.hpp"

#include <atomic>

namespace rill {

/// Base class of all device memory resources. Allocation and deallocation are stream ordered:
/// memory may be used on `stream` right after allocate(), and is to be passed back together with a
/// stream on which the last use of it is ordered.
class device_memory_resource {
 public:
  virtual ~device_memory_resource() = default;

  [[nodiscard]] void* allocate(std::size_t bytes, stream_view stream)
  {
    if (bytes == 0) { return nullptr; }
    return do_allocate(align_up(bytes, allocation_alignment), stream);
  }

  void deallocate(void* ptr, std::size_t bytes, stream_view stream)
  {
    if (ptr == nullptr) { return; }
    do_deallocate(ptr, align_up(bytes, allocation_alignment), stream);
  }

 private:
  virtual void* do_allocate(std::size_t bytes, stream_view stream)                 = 0;
  virtual void do_deallocate(void* ptr, std::size_t bytes, stream_view stream)     = 0;
};

/// cudaMalloc and cudaFree.
class cuda_memory_resource final : public device_memory_resource {
  void* do_allocate(std::size_t bytes, stream_view) override
  {
    void* ptr{};
    RILL_CUDA_TRY(cudaMalloc(&ptr, bytes));
    return ptr;
  }
  void do_deallocate(void* ptr, std::size_t, stream_view) override
  {
    RILL_NOEXCEPT_CUDA(cudaFree(ptr));
  }
};

/// Counts what passes through to the upstream resource.
template <typename Upstream>
class statistics_adaptor final : public device_memory_resource {
 public:
  explicit statistics_adaptor(Upstream* upstream) : upstream_{upstream}
  {
    RILL_EXPECTS(upstream != nullptr, "null upstream resource");
  }
  [[nodiscard]] std::int64_t current_bytes() const noexcept { return current_.load(); }
  [[nodiscard]] std::int64_t peak_bytes() const noexcept { return peak_.load(); }

 private:
  void* do_allocate(std::size_t bytes, stream_view stream) override
  {
    void* ptr = upstream_->allocate(bytes, stream);
    auto const now = current_ += static_cast<std::int64_t>(bytes);
    auto seen      = peak_.load();
    while (seen < now && !peak_.compare_exchange_weak(seen, now)) {}
    return ptr;
  }
  void do_deallocate(void* ptr, std::size_t bytes, stream_view stream) override
  {
    upstream_->deallocate(ptr, bytes, stream);
    current_ -= static_cast<std::int64_t>(bytes);
  }

  Upstream* upstream_;
  std::atomic<std::int64_t> current_{0};
  std::atomic<std::int64_t> peak_{0};
};

}  // namespace rill
