// Layer normalisation. All functions enqueue their work in `stream` and return at once; they
// may be called while the stream is in capture (mode thread-local or relaxed). The graph is
// instantiated once and launched any number of times.
#pragma once

#include <cuda_runtime.h>

namespace trainops {

struct LayerNormShape {
  int rows = 0;
  int cols = 0;
  float epsilon = 1e-5f;
};

/// y = (x - mean) / sqrt(var + eps) * gamma + beta, row by row.
void layer_norm_forward(const LayerNormShape& shape,
                        const float* x,
                        const float* gamma,
                        const float* beta,
                        float* y,
                        cudaStream_t stream);

/// Gradients of gamma and beta, added to what is there.
void layer_norm_backward_params(const LayerNormShape& shape,
                                const float* x,
                                const float* dy,
                                float* dgamma,
                                float* dbeta,
                                cudaStream_t stream);

}  // namespace trainops
