#pragma once

#include "context.hpp"

#include <cstdint>

namespace tops {

/// Row-major matrix in device memory.
template <class T>
struct matrix_ref {
  T* data = nullptr;
  int rows = 0;
  int cols = 0;
  int ld = 0;
};

template <class T>
matrix_ref<const T> readonly(const matrix_ref<T>& m) noexcept {
  return {m.data, m.rows, m.cols, m.ld};
}

/// The operations enqueue their work on the context's stream and return at once. All of them may be
/// called while that stream is captured into a graph.

/// out[c] = sum of in[r][c] over r
void column_sum(context& ctx, matrix_ref<const float> in, float* out);

/// out[r][c] = in[r][c] - mean of in's column c; in and out may be the same
void center_columns(context& ctx, matrix_ref<const float> in, matrix_ref<float> out);

/// Softmax of each row.
void row_softmax(context& ctx, matrix_ref<const float> in, matrix_ref<float> out);

/// out[r][c] = alpha * in[r][c] + beta
void affine(context& ctx, matrix_ref<const float> in, float alpha, float beta, matrix_ref<float> out);

}  // namespace tops
