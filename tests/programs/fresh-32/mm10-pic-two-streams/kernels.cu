#include "pic.h"

#define BURN(us)                                                     \
  do {                                                               \
    unsigned long long t0_, t1_;                                     \
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0_));           \
    do {                                                             \
      asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1_));         \
    } while (t1_ - t0_ < 1000ull * (us));                            \
  } while (0)

__global__ void push(const int *in, int *out, const Knobs *k, int us) {
  BURN(us);
  const int kick = k->kick;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < NPART; i += gridDim.x * blockDim.x)
    out[i] = (in[i] + kick + (i & 3)) % NGRID;
}

__global__ void deposit(const int *pos, unsigned *rho, int us) {
  BURN(us);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < NPART; i += gridDim.x * blockDim.x)
    atomicAdd(&rho[pos[i]], 1u);
}

void launch_push(const int *in, int *out, const Knobs *k, int us, cudaStream_t s) {
  push<<<32, 256, 0, s>>>(in, out, k, us);
  CHK(cudaGetLastError());
}

void launch_deposit(const int *pos, unsigned *rho, int us, cudaStream_t s) {
  deposit<<<32, 256, 0, s>>>(pos, rho, us);
  CHK(cudaGetLastError());
}
