#pragma once

#include "context.h"

namespace spkit {

/// Coordinate format, unsorted, owned by the caller and valid in the order of ctx.stream_handle().
template <typename V>
struct coo_view {
  int rows = 0;
  int cols = 0;
  int nnz = 0;
  const int* row = nullptr;
  const int* col = nullptr;
  const V* val = nullptr;
};

template <typename V>
struct csr_matrix {
  int rows = 0;
  int cols = 0;
  int nnz = 0;
  buffer<int> row_ptr;
  buffer<int> col;
  buffer<V> val;
};

/// Both functions return at once; results are ready in the order of ctx.stream_handle().
template <typename V>
void coo_to_csr(context& ctx, const coo_view<V>& in, csr_matrix<V>& out);

template <typename V>
void spmv(context& ctx, const csr_matrix<V>& a, const V* x, V* y);

}  // namespace spkit
