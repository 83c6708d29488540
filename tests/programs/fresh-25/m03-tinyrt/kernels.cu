#include "common.h"
#include "kernels.h"

namespace tinyrt {
namespace {

template <bool Relu>
__global__ void affine(float* x, const float* params, int channels, int pixels)
{
  const int c = blockIdx.y;
  const float a = params[c];
  const float b = params[channels + c];
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += gridDim.x * blockDim.x) {
    float v = x[c * pixels + p] * a + b;
    if (Relu && v < 0.0f) v = 0.0f;
    x[c * pixels + p] = v;
  }
}

}  // namespace

void launch_affine(float* x, const float* params, int channels, int pixels, bool relu,
                   cudaStream_t stream)
{
  const dim3 grid((pixels + 255) / 256, channels);
  if (relu)
    affine<true><<<grid, 256, 0, stream>>>(x, params, channels, pixels);
  else
    affine<false><<<grid, 256, 0, stream>>>(x, params, channels, pixels);
  check(cudaGetLastError());
}

}  // namespace tinyrt
