#pragma once
#include "stream.h"

namespace tl {

struct BlasContext {
  cudaStream_t stream = nullptr;
  float* workspace = nullptr;
  int split = 4;
};

// The context of the calling thread.
BlasContext& blas_context();

// y = W x with W row major; split over the columns, partial sums in the workspace.
void gemv(BlasContext& ctx, int rows, int cols, const float* w, const float* x, float* y);

}  // namespace tl
