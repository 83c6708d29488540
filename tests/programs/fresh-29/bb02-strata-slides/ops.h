#pragma once

#include "buffer.h"

#include <chrono>

namespace strata::ops {

/// Sets every element of `v`, on `s`.
void fill(const device_vector<float>& v, float value, cudaStream_t s);

/// Anytime estimator: refines the weights until `budget` is used up, then sums `v` into *out.
void refine_sum(const device_vector<float>& v, std::chrono::milliseconds budget, float* out, cudaStream_t s);

}  // namespace strata::ops
