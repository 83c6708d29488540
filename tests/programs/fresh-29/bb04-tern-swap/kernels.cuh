#pragma once

namespace tern {

__global__ void set_kernel(float* x, int n, float value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = value;
}

__global__ void scale_bias_relu_kernel(float* x, const float* scale, const float* bias, int rows, int cols) {
  const int n = rows * cols;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int c = i % cols;
    x[i] = fmaxf(0.0f, x[i] * scale[c] + bias[c]);
  }
}

}  // namespace tern
