#include <cstdio>
#include <cuda_runtime.h>

__device__ volatile int baton = 0;

__global__ void second_runner(int* result) {
  while (baton == 0) {
  }
  *result = baton * 2;
}

__global__ void first_runner(int value) { baton = value; }

int main() {
  int* result;
  cudaMallocManaged(&result, sizeof(int));
  cudaStream_t left, right;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);

  second_runner<<<1, 1, 0, left>>>(result);
  first_runner<<<1, 1, 0, right>>>(21);
  cudaDeviceSynchronize();
  std::printf("%d\n", *result);
  return 0;
}
