#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define RD(call) rd_check((call))
static inline void rd_check(cudaError_t e) {
  if (e != cudaSuccess) {
    printf("ERROR %s\n", cudaGetErrorName(e));
    fflush(stdout);
    _Exit(1);
  }
}

constexpr int kCells = 8192;
constexpr int kMaxChannels = 4;

struct BusyTime {
  unsigned long long from, to;
};

struct Cube {
  int* compressed[kMaxChannels];
  int* detections;
  BusyTime* busy;
};

__device__ inline unsigned long long t_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__host__ __device__ inline int echo(int channel, int cell, int dwell) {
  return (cell * 7 + channel * 13 + dwell * 3) % 127;
}

template <int Taps>
__global__ void pulse_compress(Cube cube, int channel, int dwell, unsigned us) {
  const unsigned long long begin = t_ns();
  if (threadIdx.x == 0) atomicMin(&cube.busy->from, begin);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCells; i += gridDim.x * blockDim.x) {
    int acc = 0;
#pragma unroll
    for (int k = 0; k < Taps; ++k) acc += echo(channel, (i + k) % kCells, dwell) * (k + 1);
    cube.compressed[channel][i] = acc;
  }
  while (t_ns() - begin < us * 1000ull) {
  }
  if (threadIdx.x == 0) atomicMax(&cube.busy->to, t_ns());
}

template <int Channels>
__global__ void cfar(Cube cube, int threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCells) {
    int sum = 0;
#pragma unroll
    for (int c = 0; c < Channels; ++c) sum += cube.compressed[c][i];
    cube.detections[i] += sum > threshold * Channels;
  }
  if (threadIdx.x == 0) atomicMax(&cube.busy->to, t_ns());
}
