#pragma once

#include <cuda_runtime.h>

namespace tinyrt {

// x[c * pixels + p] = act(x * params[c] + params[channels + c]), in place.
void launch_affine(float* x, const float* params, int channels, int pixels, bool relu,
                   cudaStream_t stream);

}  // namespace tinyrt
