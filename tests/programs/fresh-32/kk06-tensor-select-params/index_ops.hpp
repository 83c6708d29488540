#pragma once
#include "tensor.hpp"

namespace tr {

/// out[i, :] = src[index[i], :]. Negative indices count from the end.
/// The indices are taken at the time of the call; `index` may be changed afterwards.
void index_select(context& ctx, tensor const& src, std::vector<int64_t> const& index, tensor& out);

/// dst += alpha * src, element by element.
void axpy(context& ctx, float alpha, tensor const& src, tensor& dst);

/// dst = value
void fill(context& ctx, float value, tensor& dst);

}  // namespace tr
