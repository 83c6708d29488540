#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define LAMINA_CUDA_TRY(call) \
  do { \
    cudaError_t const status = (call); \
    if (status != cudaSuccess) { throw lamina::cuda_error(status, __FILE__, __LINE__); } \
  } while (0)

namespace lamina {

struct cuda_error : std::runtime_error {
  cuda_error(cudaError_t status, char const* file, int line)
    : std::runtime_error(std::string(file) + ":" + std::to_string(line) + " " + cudaGetErrorString(status)),
      status(status) {}
  cudaError_t status;
};

using size_type = std::int32_t;

enum class type_id : std::int32_t { INT32, INT64, FLOAT64 };
enum class order : bool { ASCENDING, DESCENDING };
enum class out_of_bounds_policy : bool { NULLIFY, DONT_CHECK };

inline std::size_t size_of(type_id t) { return t == type_id::INT32 ? 4 : 8; }

class stream_view {
 public:
  constexpr stream_view(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t value() const { return stream_; }
  void synchronize() const { LAMINA_CUDA_TRY(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_;
};

inline stream_view get_default_stream() { return stream_view{cudaStreamLegacy}; }

/// Device memory of a query: one slab, handed out front to back and returned as a whole.
class arena_memory_resource {
 public:
  explicit arena_memory_resource(std::size_t bytes) : size_(bytes) { LAMINA_CUDA_TRY(cudaMalloc(&base_, bytes)); }
  arena_memory_resource(arena_memory_resource const&) = delete;
  ~arena_memory_resource() { cudaFree(base_); }

  void* allocate(std::size_t bytes) {
    bytes = (bytes + 255) & ~std::size_t{255};
    if (used_ + bytes > size_) { throw std::bad_alloc{}; }
    used_ += bytes;
    return static_cast<char*>(base_) + used_ - bytes;
  }

 private:
  void* base_{};
  std::size_t size_;
  std::size_t used_{0};
};

arena_memory_resource*& current_device_resource();
inline arena_memory_resource* get_current_device_resource() { return current_device_resource(); }

struct column_view {
  type_id type;
  size_type size;
  void const* data;
  template <typename T>
  T const* begin() const { return static_cast<T const*>(data); }
};

class column {
 public:
  column(type_id type, size_type size, arena_memory_resource* mr)
    : type_(type), size_(size), data_(mr->allocate(size_of(type) * size)) {}
  column_view view() const { return {type_, size_, data_}; }
  template <typename T>
  T* mutable_begin() { return static_cast<T*>(data_); }

 private:
  type_id type_;
  size_type size_;
  void* data_;
};

using table_view = std::vector<column_view>;
using table = std::vector<std::unique_ptr<column>>;

template <typename Functor, typename... Ts>
decltype(auto) type_dispatcher(type_id id, Functor f, Ts&&... args) {
  switch (id) {
    case type_id::INT32: return f.template operator()<std::int32_t>(std::forward<Ts>(args)...);
    case type_id::INT64: return f.template operator()<std::int64_t>(std::forward<Ts>(args)...);
    case type_id::FLOAT64: return f.template operator()<double>(std::forward<Ts>(args)...);
  }
  throw std::logic_error("lamina: unsupported type");
}

}  // namespace lamina
