#pragma once

#include <cuda_runtime.h>

// Device side of the relay: stages are single blocks that stay resident and
// pass tiles on through small rings in global memory.

constexpr unsigned kTile = 1024;
constexpr unsigned kDepth = 4;
constexpr unsigned kThreads = 256;

struct Link {
  unsigned produced;
  unsigned consumed;
  unsigned tiles[kDepth][kTile];
};

struct Doors {
  unsigned open;
  unsigned abandoned;
  unsigned finished;
};

__device__ inline unsigned peek(const unsigned* p) { return *(const volatile unsigned*)p; }
__device__ inline void poke(unsigned* p, unsigned v) { *(volatile unsigned*)p = v; }

__device__ inline bool await_open(const Doors* doors) {
  while (peek(&doors->open) == 0) {
    if (peek(&doors->abandoned)) return false;
    __nanosleep(500);
  }
  return true;
}

__device__ inline bool await_tile(const Link* in, unsigned t, const Doors* doors) {
  while (peek(&in->produced) <= t) {
    if (peek(&doors->abandoned)) return false;
    __nanosleep(100);
  }
  return true;
}

__device__ inline bool await_room(const Link* out, unsigned t, const Doors* doors) {
  while (t - peek(&out->consumed) >= kDepth) {
    if (peek(&doors->abandoned)) return false;
    __nanosleep(100);
  }
  return true;
}

struct Generate {
  __host__ __device__ unsigned operator()(unsigned tile, unsigned i) const {
    return (tile * kTile + i) * 2654435761u;
  }
};

struct Whiten {
  __host__ __device__ unsigned operator()(unsigned x) const { return (x ^ (x >> 15)) * 2246822519u; }
};

struct Quantise {
  __host__ __device__ unsigned operator()(unsigned x) const { return (x >> 20) * 5u + 3u; }
};

template <class Op>
__global__ void source(Link* out, const Doors* doors, unsigned tiles, long long ns, Op op) {
  __shared__ bool live;
  for (unsigned t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      live = await_open(doors) && await_room(out, t, doors);
      unsigned long long t0, now;
      asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
      do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
      } while ((long long)(now - t0) < ns);
      __threadfence();
    }
    __syncthreads();
    if (!live) return;
    for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x)
      poke(&out->tiles[t % kDepth][i], op(t, i));
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) poke(&out->produced, t + 1);
  }
}

template <class Op>
__global__ void filter(Link* in, Link* out, const Doors* doors, unsigned tiles, Op op) {
  __shared__ bool live;
  for (unsigned t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      live = await_tile(in, t, doors) && await_room(out, t, doors);
      __threadfence();
    }
    __syncthreads();
    if (!live) return;
    for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x)
      poke(&out->tiles[t % kDepth][i], op(peek(&in->tiles[t % kDepth][i])));
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      poke(&in->consumed, t + 1);
      poke(&out->produced, t + 1);
    }
  }
}

static __global__ void sink(Link* in, Doors* doors, unsigned* out, unsigned tiles) {
  __shared__ bool live;
  for (unsigned t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      live = await_tile(in, t, doors);
      __threadfence();
    }
    __syncthreads();
    if (!live) return;
    for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x)
      poke(&out[t * kTile + i], peek(&in->tiles[t % kDepth][i]));
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
      poke(&in->consumed, t + 1);
      poke(&doors->finished, t + 1);
    }
  }
}
