#pragma once

#include "cuda_stream_view.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace lrm {

/// Base of all stream-ordered resources.
///
/// Memory returned by `allocate(bytes, stream)` may be used at once in work on `stream`.
/// Memory handed to `deallocate(p, bytes, stream)` may be used again by work enqueued on `stream`
/// after that call.
class device_memory_resource {
 public:
  virtual ~device_memory_resource() = default;

  void* allocate(std::size_t bytes, cuda_stream_view stream)
  {
    return bytes == 0 ? nullptr : do_allocate((bytes + 255) & ~std::size_t{255}, stream);
  }

  void deallocate(void* p, std::size_t bytes, cuda_stream_view stream)
  {
    if (p != nullptr) { do_deallocate(p, (bytes + 255) & ~std::size_t{255}, stream); }
  }

 private:
  virtual void* do_allocate(std::size_t bytes, cuda_stream_view stream)            = 0;
  virtual void do_deallocate(void* p, std::size_t bytes, cuda_stream_view stream) = 0;
};

/// Resource on top of a private cudaMemPool.
class cuda_async_memory_resource final : public device_memory_resource {
 public:
  explicit cuda_async_memory_resource(std::size_t release_threshold = std::numeric_limits<std::size_t>::max())
  {
    cudaMemPoolProps props{};
    props.allocType     = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    LRM_CUDA_TRY(cudaGetDevice(&props.location.id));
    LRM_CUDA_TRY(cudaMemPoolCreate(&pool_, &props));
    std::uint64_t threshold = release_threshold;
    LRM_CUDA_TRY(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &threshold));
  }

  ~cuda_async_memory_resource() override { LRM_ASSERT_CUDA_SUCCESS(cudaMemPoolDestroy(pool_)); }
  cuda_async_memory_resource(cuda_async_memory_resource const&)            = delete;
  cuda_async_memory_resource& operator=(cuda_async_memory_resource const&) = delete;

  [[nodiscard]] cudaMemPool_t pool_handle() const noexcept { return pool_; }

 private:
  void* do_allocate(std::size_t bytes, cuda_stream_view stream) override
  {
    void* p{nullptr};
    auto const st = cudaMallocFromPoolAsync(&p, bytes, pool_, stream.value());
    if (st != cudaSuccess) { throw lrm::bad_alloc{cudaGetErrorString(st)}; }
    return p;
  }

  void do_deallocate(void* p, std::size_t, cuda_stream_view stream) override
  {
    LRM_ASSERT_CUDA_SUCCESS(cudaFreeAsync(p, stream.value()));
  }

  cudaMemPool_t pool_{};
};

/// Counts the bytes that go through an upstream resource.
class statistics_resource_adaptor final : public device_memory_resource {
 public:
  explicit statistics_resource_adaptor(device_memory_resource* upstream) : upstream_{upstream}
  {
    LRM_EXPECTS(upstream != nullptr, "unexpected null upstream");
  }
  [[nodiscard]] std::int64_t bytes_in_use() const noexcept { return bytes_.load(); }
  [[nodiscard]] std::int64_t allocations() const noexcept { return count_.load(); }

 private:
  void* do_allocate(std::size_t bytes, cuda_stream_view stream) override
  {
    void* p = upstream_->allocate(bytes, stream);
    bytes_ += static_cast<std::int64_t>(bytes);
    ++count_;
    return p;
  }
  void do_deallocate(void* p, std::size_t bytes, cuda_stream_view stream) override
  {
    upstream_->deallocate(p, bytes, stream);
    bytes_ -= static_cast<std::int64_t>(bytes);
  }

  device_memory_resource* upstream_;
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<std::int64_t> count_{0};
};

}  // namespace lrm
