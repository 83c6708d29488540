#pragma once

#include "tuner.h"

namespace tunekit {

// Sums of the rows of a row-major matrix, out[r] = sum over c of in[r * cols + c], in the variant
// that is fastest on this device.
class row_sum {
 public:
  row_sum(int rows, int cols) : rows_(rows), cols_(cols) {}

  // Measures the variants; `in` and `out` are device memory of the right size.
  std::vector<timing> tune(const int* in, int* out, cudaStream_t stream);

  void operator()(const int* in, int* out, cudaStream_t stream) const { call(chosen_, in, out, stream); }
  void call(int variant, const int* in, int* out, cudaStream_t stream) const;

  int chosen() const { return chosen_; }
  static constexpr int variants = 3;

 private:
  int rows_;
  int cols_;
  int chosen_ = 0;
};

}  // namespace tunekit
