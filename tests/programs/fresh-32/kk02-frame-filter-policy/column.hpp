#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace frame {

struct cuda_error : std::runtime_error {
  cuda_error(cudaError_t s, char const* where)
    : std::runtime_error(std::string(where) + ": " + cudaGetErrorName(s)), status(s) {}
  cudaError_t status;
};

#define FRAME_CUDA_TRY(call)                                    \
  do {                                                          \
    cudaError_t const st_ = (call);                             \
    if (st_ != cudaSuccess) throw frame::cuda_error(st_, #call); \
  } while (0)

class memory_resource {
 public:
  virtual ~memory_resource() = default;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* p, std::size_t bytes) noexcept = 0;
};

class cuda_memory_resource final : public memory_resource {
 public:
  void* allocate(std::size_t bytes) override;
  void deallocate(void* p, std::size_t bytes) noexcept override;
};

memory_resource* default_resource();

template <typename T>
class uvector {
 public:
  uvector(std::size_t n, memory_resource* mr = default_resource())
    : size_(n), capacity_(n), mr_(mr),
      data_(n ? static_cast<T*>(mr->allocate(n * sizeof(T))) : nullptr) {}
  uvector(uvector&& o) noexcept
    : size_(o.size_), capacity_(o.capacity_), mr_(o.mr_), data_(std::exchange(o.data_, nullptr)) {}
  uvector(uvector const&) = delete;
  uvector& operator=(uvector const&) = delete;
  ~uvector() { if (data_) mr_->deallocate(data_, capacity_ * sizeof(T)); }

  T* data() { return data_; }
  T const* data() const { return data_; }
  std::size_t size() const { return size_; }
  void shrink(std::size_t n) { size_ = n < size_ ? n : size_; }

 private:
  std::size_t size_, capacity_;
  memory_resource* mr_;
  T* data_;
};

template <typename T>
struct column_view {
  T const* data;
  std::size_t size;
};

template <typename T>
class column {
 public:
  explicit column(uvector<T>&& v) : values_(std::move(v)) {}
  std::size_t size() const { return values_.size(); }
  column_view<T> view() const { return {values_.data(), values_.size()}; }

 private:
  uvector<T> values_;
};

}  // namespace frame
