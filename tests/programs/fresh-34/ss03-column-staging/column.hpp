#pragma once
// Columns of fixed-width values with an optional validity mask.
// All factories take the stream on which the column becomes usable and do not block on it.
#include "staging.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

namespace frame {

using mask_word = std::uint32_t;

struct column_view {
  void const* values    = nullptr;
  mask_word const* mask = nullptr;
  std::size_t size      = 0;
};

class column {
 public:
  column() = default;
  column(std::size_t rows, std::size_t width, bool nullable, cudaStream_t stream);
  column(column&& o) noexcept { swap(o); }
  column& operator=(column&& o) noexcept
  {
    column t(std::move(o));
    swap(t);
    return *this;
  }
  ~column();
  void swap(column& o) noexcept
  {
    std::swap(values_, o.values_);
    std::swap(mask_, o.mask_);
    std::swap(size_, o.size_);
    std::swap(stream_, o.stream_);
  }
  column_view view() const { return {values_, mask_, size_}; }
  void* values() { return values_; }
  mask_word* mask() { return mask_; }
  std::size_t size() const { return size_; }

 private:
  void* values_       = nullptr;
  mask_word* mask_    = nullptr;
  std::size_t size_   = 0;
  cudaStream_t stream_ = nullptr;
};

namespace detail {
void upload(void* dst, void const* src, std::size_t bytes, cudaStream_t stream);
void sum_i32(column_view in, long long* out, cudaStream_t stream);
}  // namespace detail

struct non_nullable {
  static constexpr bool has_mask = false;
};
struct nullable {
  static constexpr bool has_mask = true;
};

template <class T, class Nulls = non_nullable>
class column_builder {
 public:
  column_builder& reserve(std::size_t n)
  {
    rows_.reserve(n);
    return *this;
  }
  column_builder& append(T v)
  {
    note(true);
    rows_.push_back(v);
    return *this;
  }
  column_builder& append_null()
  {
    static_assert(Nulls::has_mask, "column is not nullable");
    note(false);
    rows_.push_back(T{});
    return *this;
  }
  column build(cudaStream_t stream)
  {
    column c(rows_.size(), sizeof(T), Nulls::has_mask, stream);
    detail::upload(c.values(), rows_.data(), rows_.size() * sizeof(T), stream);
    if constexpr (Nulls::has_mask) detail::upload(c.mask(), mask_.data(), mask_.size() * sizeof(mask_word), stream);
    rows_.clear();
    mask_.clear();
    return c;
  }

 private:
  void note(bool valid)
  {
    if constexpr (Nulls::has_mask) {
      auto const i = rows_.size();
      if (i % 32 == 0) mask_.push_back(0);
      if (valid) mask_.back() |= mask_word{1} << (i % 32);
    }
  }
  std::vector<T> rows_;
  std::vector<mask_word> mask_;
};

// Adds up the valid rows into *out (device memory) on `stream`.
inline void sum(column const& c, long long* out, cudaStream_t stream) { detail::sum_i32(c.view(), out, stream); }

}  // namespace frame
