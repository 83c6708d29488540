#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace cf {
struct cuda_error : std::runtime_error {
  explicit cuda_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define CF_CUDA_TRY(expr)                                   \
  do {                                                      \
    cudaError_t const cf_err_ = (expr);                     \
    if (cf_err_ != cudaSuccess) throw cf::cuda_error(cf_err_); \
  } while (0)

/// Non-owning handle of a CUDA stream.
class stream_view {
 public:
  constexpr stream_view() = default;
  constexpr stream_view(cudaStream_t s) : stream_{s} {}
  constexpr operator cudaStream_t() const noexcept { return stream_; }
  void synchronize() const { CF_CUDA_TRY(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
};

/// Stream-ordered source of device memory.
class device_memory_resource {
 public:
  virtual ~device_memory_resource() = default;

  void* allocate(std::size_t bytes, stream_view stream)
  {
    return bytes == 0 ? nullptr : do_allocate(align_up(bytes), stream);
  }
  void deallocate(void* p, std::size_t bytes, stream_view stream) noexcept
  {
    if (p != nullptr) do_deallocate(p, align_up(bytes), stream);
  }

 private:
  static constexpr std::size_t align_up(std::size_t n) { return (n + 255) & ~std::size_t{255}; }
  virtual void* do_allocate(std::size_t bytes, stream_view stream) = 0;
  virtual void do_deallocate(void* p, std::size_t bytes, stream_view stream) noexcept = 0;
};

/// Resource on top of a private cudaMemPool that never trims itself.
class async_pool_resource final : public device_memory_resource {
 public:
  explicit async_pool_resource(int device)
  {
    cudaMemPoolProps props{};
    props.allocType     = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id   = device;
    CF_CUDA_TRY(cudaMemPoolCreate(&pool_, &props));
    std::uint64_t keep = UINT64_MAX;
    CF_CUDA_TRY(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
  }
  async_pool_resource(async_pool_resource const&)            = delete;
  async_pool_resource& operator=(async_pool_resource const&) = delete;
  ~async_pool_resource() override { cudaMemPoolDestroy(pool_); }

 private:
  void* do_allocate(std::size_t bytes, stream_view stream) override
  {
    void* p = nullptr;
    CF_CUDA_TRY(cudaMallocFromPoolAsync(&p, bytes, pool_, stream));
    return p;
  }
  void do_deallocate(void* p, std::size_t, stream_view stream) noexcept override { cudaFreeAsync(p, stream); }
  cudaMemPool_t pool_{};
};
}  // namespace cf
