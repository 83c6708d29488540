// dimjoin: memory resources and typed buffers.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace dimjoin {

struct error : std::runtime_error {
  error(cudaError_t c, const char* file, int line)
      : std::runtime_error(std::string(file) + ":" + std::to_string(line)), code(c) {}
  cudaError_t code;
};

#define DJ_CUDA(call)                                              \
  do {                                                             \
    cudaError_t dj_status_ = (call);                               \
    if (dj_status_ != cudaSuccess)                                 \
      throw ::dimjoin::error(dj_status_, __FILE__, __LINE__);      \
  } while (0)

class stream_view {
 public:
  stream_view(cudaStream_t s) : s_(s) {}
  operator cudaStream_t() const { return s_; }

 private:
  cudaStream_t s_;
};

/// Where buffers get their storage. Both calls are ordered in the given stream.
class memory_resource {
 public:
  virtual ~memory_resource() = default;
  virtual void* allocate(std::size_t bytes, stream_view s) = 0;
  virtual void deallocate(void* p, std::size_t bytes, stream_view s) noexcept = 0;
};

/// A private cudaMemPool that keeps what it has reserved.
class pool_resource final : public memory_resource {
 public:
  explicit pool_resource(int device);
  ~pool_resource() override;
  pool_resource(const pool_resource&) = delete;
  pool_resource& operator=(const pool_resource&) = delete;

  void* allocate(std::size_t bytes, stream_view s) override;
  void deallocate(void* p, std::size_t bytes, stream_view s) noexcept override;

 private:
  cudaMemPool_t pool_ = nullptr;
};

/// Uninitialised array of T. The storage is handed back in the stream the buffer is bound to.
template <class T>
class buffer {
 public:
  buffer(std::size_t n, stream_view s, memory_resource& mr)
      : mr_(&mr), stream_(s), n_(n), p_(static_cast<T*>(mr.allocate(n * sizeof(T), s))) {}
  buffer(buffer&& o) noexcept : mr_(o.mr_), stream_(o.stream_), n_(o.n_), p_(std::exchange(o.p_, nullptr)) {}
  buffer& operator=(buffer&&) = delete;
  ~buffer() {
    if (p_) mr_->deallocate(p_, n_ * sizeof(T), stream_);
  }

  T* data() const noexcept { return p_; }
  std::size_t size() const noexcept { return n_; }
  std::size_t bytes() const noexcept { return n_ * sizeof(T); }
  stream_view stream() const noexcept { return stream_; }
  void set_stream(stream_view s) noexcept { stream_ = s; }

 private:
  memory_resource* mr_;
  stream_view stream_;
  std::size_t n_;
  T* p_;
};

/// Non-owning column.
template <class T>
struct column_view {
  T* data = nullptr;
  std::size_t size = 0;
};

}  // namespace dimjoin
