#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace strata {

struct cuda_error : std::runtime_error {
  explicit cuda_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void expect_success(cudaError_t e)
{
  if (e != cudaSuccess) {
    (void)cudaGetLastError();
    throw cuda_error(e);
  }
}

#define STRATA_TRY(expr) ::strata::expect_success(expr)

/// Base of all stream-ordered memory resources.
///
/// Memory obtained from `allocate(bytes, s)` may be used by work subsequently enqueued on `s`.
/// `deallocate(p, bytes, s)` may be called while work enqueued earlier on `s` still uses `p`.
class memory_resource {
 public:
  virtual ~memory_resource() = default;

  void* allocate(std::size_t bytes, cudaStream_t stream)
  {
    return do_allocate(align_up(bytes), stream);
  }
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream)
  {
    if (p != nullptr) { do_deallocate(p, align_up(bytes), stream); }
  }

  static constexpr std::size_t align_up(std::size_t bytes)
  {
    return (bytes + 255u) & ~std::size_t{255};
  }

 private:
  virtual void* do_allocate(std::size_t bytes, cudaStream_t stream)            = 0;
  virtual void do_deallocate(void* p, std::size_t bytes, cudaStream_t stream) = 0;
};

/// Straight cudaMalloc and cudaFree.
class cuda_memory_resource final : public memory_resource {
  void* do_allocate(std::size_t bytes, cudaStream_t) override
  {
    void* p = nullptr;
    STRATA_TRY(cudaMalloc(&p, bytes));
    return p;
  }
  void do_deallocate(void* p, std::size_t, cudaStream_t) override { (void)cudaFree(p); }
};

}  // namespace strata
