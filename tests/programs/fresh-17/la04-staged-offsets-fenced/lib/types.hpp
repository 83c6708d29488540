#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tabula {

using size_type    = std::int32_t;
using bitmask_type = std::uint32_t;

inline void cuda_check(cudaError_t st, char const* file, int line)
{
  if (st == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + cudaGetErrorString(st));
}

#define TABULA_CUDA(call) ::tabula::cuda_check((call), __FILE__, __LINE__)

enum class type_id : std::int32_t { EMPTY = 0, INT32, INT64, FLOAT64 };

inline std::size_t size_of(type_id t)
{
  switch (t) {
    case type_id::INT32: return 4;
    case type_id::INT64: return 8;
    case type_id::FLOAT64: return 8;
    default: throw std::invalid_argument("size_of: not a fixed width type");
  }
}

/// Default stream of the library (per process).
cudaStream_t get_default_stream();

/// Stream-ordered device storage.
class dbuf {
 public:
  dbuf() = default;
  dbuf(std::size_t bytes, cudaStream_t stream) : bytes_(bytes), stream_(stream)
  {
    if (bytes) TABULA_CUDA(cudaMallocAsync(&p_, bytes, stream));
  }
  dbuf(dbuf&& o) noexcept : p_(o.p_), bytes_(o.bytes_), stream_(o.stream_) { o.p_ = nullptr; }
  dbuf& operator=(dbuf&& o) noexcept
  {
    std::swap(p_, o.p_);
    std::swap(bytes_, o.bytes_);
    std::swap(stream_, o.stream_);
    return *this;
  }
  dbuf(dbuf const&)            = delete;
  dbuf& operator=(dbuf const&) = delete;
  ~dbuf()
  {
    if (p_) cudaFreeAsync(p_, stream_);
  }
  template <typename T = void>
  T* as() const
  {
    return static_cast<T*>(p_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void* p_            = nullptr;
  std::size_t bytes_  = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace tabula
