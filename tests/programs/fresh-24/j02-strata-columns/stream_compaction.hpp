#pragma once

#include <vector>

#include "core.hpp"

namespace strata {

/// Copies host values into a new column whose rows are all valid; `values` may be changed on return.
column from_host(std::vector<float> const& values, stream_view stream);

/// Makes every row below `threshold` null. Work is enqueued in `stream`.
void nullify_below(column& col, float threshold, stream_view stream);

/// A new column of all valid rows of `in`, in their order. Ordered in `stream`.
column drop_nulls(column const& in, stream_view stream);

/// A new column in which nulls are replaced by `value`. Ordered in `stream`.
column fill_nulls(column const& in, float value, stream_view stream);

/// Copies the rows back. Returns when they are there.
std::vector<float> to_host(column const& col, stream_view stream);

}  // namespace strata
