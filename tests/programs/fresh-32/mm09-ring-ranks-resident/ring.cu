#include "ring.cuh"

static __device__ void rank_barrier(unsigned *count, unsigned &phase) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    phase += gridDim.x;
    atomicAdd(count, 1u);
    while (*(volatile unsigned *)count < phase) {
    }
    __threadfence();
  }
  __syncthreads();
}

static __device__ void await_flag(unsigned *f, unsigned want) {
  while (*(volatile unsigned *)f < want) __nanosleep(50);
  __threadfence();
}

// All time steps of one rank; neighbours are served by stores into their ghost cells.
__global__ void ring_rank(RingArgs a) {
  unsigned phase = 0;
  const int n = a.me.n;
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < a.nsteps; ++s) {
    const unsigned *cur = a.me.buf[s & 1];
    unsigned *nxt = a.me.buf[(s + 1) & 1];
    for (int i = 1 + tid; i <= n; i += gridDim.x * blockDim.x)
      nxt[i] = __ldcg(cur + i - 1) + 2u * __ldcg(cur + i) + 3u * __ldcg(cur + i + 1);
    rank_barrier(a.me.barrier, phase);
    if (tid == 0) {
      volatile unsigned *lg = a.left.buf[(s + 1) & 1];
      volatile unsigned *rg = a.right.buf[(s + 1) & 1];
      lg[n + 1] = __ldcg(nxt + 1);
      rg[0] = __ldcg(nxt + n);
      __threadfence();
      *(volatile unsigned *)a.left.flag_right = s + 1;
      *(volatile unsigned *)a.right.flag_left = s + 1;
      await_flag(a.me.flag_left, s + 1);
      await_flag(a.me.flag_right, s + 1);
    }
    rank_barrier(a.me.barrier, phase);
  }
}

int ring_blocks(const RingOptions &o) {
  int dev = 0, sms = 0, per_sm = 0;
  TRY(cudaGetDevice(&dev));
  TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, ring_rank, BLOCK, 0));
  int share = sms * per_sm / NRANK;
  return share < o.max_blocks ? share : o.max_blocks;
}
