#pragma once

#include "types.hpp"

#include <memory>
#include <vector>

namespace tabula {

class column_view {
 public:
  column_view(type_id t, size_type n, void const* data) : type_(t), size_(n), data_(data) {}
  type_id type() const { return type_; }
  size_type size() const { return size_; }
  void const* head() const { return data_; }

 private:
  type_id type_;
  size_type size_;
  void const* data_;
};

class column {
 public:
  column(type_id t, size_type n, dbuf&& data) : type_(t), size_(n), data_(std::move(data)) {}
  column_view view() const { return {type_, size_, data_.as<void>()}; }
  operator column_view() const { return view(); }
  size_type size() const { return size_; }
  type_id type() const { return type_; }
  void* mutable_head() { return data_.as<void>(); }

 private:
  type_id type_;
  size_type size_;
  dbuf data_;
};

/// Column of the given host values. The values are taken over before the call returns.
std::unique_ptr<column> make_column(std::vector<std::int64_t> const& values,
                                    cudaStream_t stream = get_default_stream());

/// Rows of all `views` one after another; one type only.
std::unique_ptr<column> concatenate(std::vector<column_view> const& views,
                                    cudaStream_t stream = get_default_stream());

/// Number of rows all `views` hold together.
size_type total_rows(std::vector<column_view> const& views);

}  // namespace tabula
