#include "workspace.h"

namespace {

__global__ void setKernel(float* out, float value, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    out[i] = value;
  }
}

}  // namespace

namespace bench {

Workspace::Workspace(size_t n) : count(n) {
  BENCH_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  BENCH_CUDA(cudaMalloc(&a, bytes()));
  BENCH_CUDA(cudaMalloc(&b, bytes()));
  BENCH_CUDA(cudaMalloc(&c, bytes()));
  setKernel<<<1024, 256, 0, stream>>>(a, 1.0f, count);
  setKernel<<<1024, 256, 0, stream>>>(b, 2.0f, count);
  BENCH_CUDA(cudaGetLastError());
  clearResult();
}

Workspace::~Workspace() {
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaStreamDestroy(stream);
}

void Workspace::clearResult() {
  setKernel<<<1024, 256, 0, stream>>>(c, -1.0f, count);
  BENCH_CUDA(cudaGetLastError());
  BENCH_CUDA(cudaStreamSynchronize(stream));
}

size_t Workspace::countDifferent(float value) const {
  std::vector<float> host(count);
  BENCH_CUDA(cudaMemcpyAsync(host.data(), c, bytes(), cudaMemcpyDeviceToHost, stream));
  BENCH_CUDA(cudaStreamSynchronize(stream));
  size_t different = 0;
  for (float v : host) different += v != value;
  return different;
}

}  // namespace bench
