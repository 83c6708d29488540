// Kernels of `cudalint probe` that need nothing of the device but threads. All take the same two pointers.
// flag[0]: set to end what spins; flag[1]: set once something spins. Both may lie in host memory.

extern "C" {
__device__ unsigned symbol;
}

extern "C" __global__ void spin(volatile unsigned *flag, unsigned *out) {
  flag[1] = 1;
  __threadfence_system();
  while (flag[0] == 0) {
  }
}

extern "C" __global__ void spin_sleeping(volatile unsigned *flag, unsigned *out) {
  flag[1] = 1;
  __threadfence_system();
  while (flag[0] == 0) {
    __nanosleep(1000);
  }
}

extern "C" __global__ void spin_one_thread(volatile unsigned *flag, unsigned *out) {
  if (threadIdx.x == 0) {
    flag[1] = 1;
    __threadfence_system();
    while (flag[0] == 0) {
    }
  }
  __syncthreads();
}

extern "C" __global__ void set(volatile unsigned *flag, unsigned *out) {
  flag[0] = 1;
  __threadfence_system();
}

extern "C" __global__ void touch(volatile unsigned *flag, unsigned *out) { out[0] = 1; }

// Like `touch`, but nothing loads it before it is needed.
extern "C" __global__ void fresh(volatile unsigned *flag, unsigned *out) { out[0] = symbol + 2; }
