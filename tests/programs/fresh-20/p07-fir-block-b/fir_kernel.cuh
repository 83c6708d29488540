#pragma once

namespace fbx {

// The signal as the kernel sees it: keep samples of history, then the block.
struct Window {
  const float* history;
  const float* block;
  int keep;

  __device__ float operator[](int i) const { return i < keep ? history[i] : block[i - keep]; }
};

// grid: (tiles of the block, channels). The first tile of a channel also writes the history that the next block sees.
__global__ void fir_block(const float* __restrict__ in, float* __restrict__ out, int block, const float* __restrict__ taps,
                          int ntaps, const float* __restrict__ history, float* __restrict__ next_history) {
  const int channel = blockIdx.y;
  const int keep = ntaps - 1;
  const Window x{history + static_cast<size_t>(channel) * keep, in + static_cast<size_t>(channel) * block, keep};

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < block) {
    float acc = 0.f;
    for (int t = 0; t < ntaps; ++t) acc += taps[t] * x[i + keep - t];
    out[static_cast<size_t>(channel) * block + i] = acc;
  }
  if (blockIdx.x == 0)
    for (int k = threadIdx.x; k < keep; k += blockDim.x)
      next_history[static_cast<size_t>(channel) * keep + k] = x[block + k];
}

}  // namespace fbx
