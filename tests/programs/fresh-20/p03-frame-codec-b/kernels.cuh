#pragma once

#include <cstddef>
#include <cstdint>

namespace gpz {

__device__ inline void hadamard4(int& a, int& b, int& c, int& d) {
  const int s0 = a + b, s1 = a - b, s2 = c + d, s3 = c - d;
  a = s0 + s2;
  b = s1 + s3;
  c = s0 - s2;
  d = s1 - s3;
}

// One thread a 4x4 block; coefficients of a block lie together.
__global__ void transform_blocks(const uint8_t* frame, size_t pitch, int blocks_x, int blocks_y, int shift,
                                 int16_t* coef) {
  const int bx = blockIdx.x * blockDim.x + threadIdx.x;
  const int by = blockIdx.y;
  if (bx >= blocks_x || by >= blocks_y) return;
  int v[4][4];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) v[y][x] = static_cast<int>(frame[(by * 4 + y) * pitch + bx * 4 + x]) - 128;
  for (int y = 0; y < 4; ++y) hadamard4(v[y][0], v[y][1], v[y][2], v[y][3]);
  for (int x = 0; x < 4; ++x) hadamard4(v[0][x], v[1][x], v[2][x], v[3][x]);
  int16_t* out = coef + (static_cast<size_t>(by) * blocks_x + bx) * 16;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) out[y * 4 + x] = static_cast<int16_t>(v[y][x] / (1 << shift));
}

struct BitWriter {
  uint8_t* out;
  size_t pos;
  uint64_t acc;
  int fill;

  __device__ void put(uint32_t value, int bits) {
    acc = (acc << bits) | value;
    fill += bits;
    while (fill >= 8) {
      fill -= 8;
      out[pos++] = static_cast<uint8_t>(acc >> fill);
    }
  }
};

// Adaptive Golomb-Rice over the coefficients in order; one thread a frame.
__global__ void code_frame(const int16_t* coef, size_t count, uint8_t* bits, unsigned long long* bytes) {
  BitWriter w{bits, 0, 0, 0};
  uint32_t mean = 16;
  for (size_t i = 0; i < count; ++i) {
    const int c = coef[i];
    const uint32_t u = c >= 0 ? 2u * c : 2u * -c - 1u;
    int k = 0;
    while ((1u << (k + 4)) < mean && k < 12) ++k;
    const uint32_t q = u >> k;
    if (q < 12) {
      w.put((1u << (q + 1)) - 2u, q + 1);
      if (k) w.put(u & ((1u << k) - 1u), k);
    } else {
      w.put(0xfffu, 12);
      w.put(u & 0xffffu, 16);
    }
    mean = mean - (mean >> 4) + u;
  }
  w.put(0, (8 - w.fill) & 7);
  *bytes = w.pos;
}

}  // namespace gpz
