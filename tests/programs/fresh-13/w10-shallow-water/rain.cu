#include "rain.cuh"

namespace weather {

namespace {

__global__ void rain(int* h, int cells, int rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) h[i] = h[i] - (h[i] >> 6) + rate;
}

}  // namespace

void Rain::fall(int* height) {
  rain<<<(cells_ + 127) / 128, 128, 0, lane_.get()>>>(height, cells_, rate_);
  gpu::require(cudaGetLastError());
}

}  // namespace weather
