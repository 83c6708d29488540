#pragma once

#include <cuda_runtime.h>

static __global__ void addKernel(int* counter, int amount) {
  if (threadIdx.x == 0) *counter += amount;
}

// Ends a capture of which nothing is to be kept.
inline cudaError_t abandonCapture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  const cudaError_t status = cudaStreamEndCapture(stream, &graph);
  if (graph != nullptr) cudaGraphDestroy(graph);
  (void)cudaGetLastError();
  return status;
}
