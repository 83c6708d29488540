#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>

namespace strata {

class cuda_error : public std::runtime_error {
 public:
  explicit cuda_error(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_error(e);
}

/// Owning stream. Does not synchronise with the legacy default stream.
class stream {
 public:
  stream() { check(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
  ~stream() { cudaStreamDestroy(s_); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  operator cudaStream_t() const noexcept { return s_; }
  void synchronize() const { check(cudaStreamSynchronize(s_)); }

 private:
  cudaStream_t s_{};
};

/// Stream-ordered device memory. A pointer from allocate() may be used by work on `s` (and by work
/// ordered after it); the `s` of deallocate() is a stream in which all uses of the pointer lie.
class memory_resource {
 public:
  virtual ~memory_resource() = default;
  void* allocate(std::size_t bytes, cudaStream_t s) { return bytes ? do_allocate(bytes, s) : nullptr; }
  void deallocate(void* p, std::size_t bytes, cudaStream_t s) noexcept {
    if (p) do_deallocate(p, bytes, s);
  }

 private:
  virtual void* do_allocate(std::size_t bytes, cudaStream_t s) = 0;
  virtual void do_deallocate(void* p, std::size_t bytes, cudaStream_t s) noexcept = 0;
};

memory_resource* current_resource() noexcept;
void set_current_resource(memory_resource* mr) noexcept;

}  // namespace strata
