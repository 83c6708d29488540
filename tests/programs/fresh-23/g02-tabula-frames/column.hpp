#pragma once

#include "memory.hpp"

#include <vector>

namespace tabula {

/// Fixed-width values and one validity byte for each row. A column's buffers are given back in the
/// order of the stream that it was made on.
template <class T>
class column {
 public:
  column(size_type rows, stream_view stream, memory_resource* mr = default_resource())
      : rows_(rows), data_(sizeof(T) * rows, stream, mr), valid_(sizeof(valid_type) * rows, stream, mr) {}

  size_type size() const noexcept { return rows_; }
  T* data() noexcept { return static_cast<T*>(data_.data()); }
  const T* data() const noexcept { return static_cast<const T*>(data_.data()); }
  valid_type* valid() noexcept { return static_cast<valid_type*>(valid_.data()); }
  const valid_type* valid() const noexcept { return static_cast<const valid_type*>(valid_.data()); }

 private:
  size_type rows_;
  device_buffer data_;
  device_buffer valid_;
};

enum class binary_operator { add, multiply, maximum };

/// lhs op rhs for each row; a row of the result is valid where both operands are.
template <class T>
column<T> binary_operation(const column<T>& lhs, const column<T>& rhs, binary_operator op, stream_view stream,
                           memory_resource* mr = default_resource());

/// Replaces the null rows by a value.
template <class T>
column<T> fill_null(const column<T>& in, T value, stream_view stream, memory_resource* mr = default_resource());

/// in[map[i]]; null where the map's row is null or out of range.
template <class T>
column<T> gather(const column<T>& in, const column<size_type>& map, stream_view stream,
                 memory_resource* mr = default_resource());

/// Inclusive sum from the first row on; null rows count as zero.
template <class T>
column<T> running_total(const column<T>& in, stream_view stream, memory_resource* mr = default_resource());

/// Values of a column on the host; returns when they are there.
template <class T>
std::vector<T> to_host(const column<T>& in, stream_view stream);

}  // namespace tabula
