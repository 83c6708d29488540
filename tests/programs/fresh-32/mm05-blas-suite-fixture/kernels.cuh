#pragma once

template <typename T>
__global__ void axpy_kernel(int n, T a, const T *x, T *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] += a * x[i];
}

template <typename T>
__global__ void gemv_kernel(int m, const T *A, const T *x, T *y) {
  __shared__ T s[256];
  const T *row = A + (size_t)blockIdx.x * m;
  T acc = 0;
  for (int j = threadIdx.x; j < m; j += blockDim.x) acc += row[j] * x[j];
  s[threadIdx.x] = acc;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
