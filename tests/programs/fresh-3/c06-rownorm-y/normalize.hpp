#pragma once
#include "resources.hpp"

namespace veclib {

enum class norm_kind { l1, l2 };

struct normalize_config {
  norm_kind kind = norm_kind::l2;
  float eps = 1e-12f;
};

// Scales every row to unit norm, in place. Ordered on res.stream().
void normalize_rows(resources& res, matrix_view<float> m, normalize_config const& cfg);

// out[c] = mean over rows of m(r, c). Ordered on res.stream().
void column_means(resources& res, matrix_view<float const> m, float* out);

}  // namespace veclib
