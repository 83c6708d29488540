#include <stdlib.h>

#include "mgl_impl.h"

__global__ static void sum_kernel(const unsigned *cells, int n,
                                  unsigned *out) {
  const unsigned *row = cells + (size_t)blockIdx.x * (n + 2);
  unsigned sum = 0;
  for (int i = 1 + threadIdx.x; i <= n; i += blockDim.x) sum += row[i];
  atomicAdd(out, sum);
}

MglErr MglMonitorCreate(int capacity, MglMonitor *out) {
  MglMonitor m = (MglMonitor)calloc(1, sizeof(*m));
  size_t bytes = capacity * sizeof(unsigned);
  m->capacity = capacity;
  MglCudaCall(cudaMalloc((void **)&m->device_sums, bytes));
  MglCudaCall(cudaMemset(m->device_sums, 0, bytes));
  MglCudaCall(cudaDeviceSynchronize());
  MglCudaCall(cudaMallocHost((void **)&m->host_sums, bytes));
  MglCudaCall(cudaEventCreateWithFlags(&m->summed, cudaEventDisableTiming));
  *out = m;
  return MGL_SUCCESS;
}

MglErr MglMonitorDestroy(MglMonitor *m) {
  MglCudaCall(cudaEventDestroy((*m)->summed));
  MglCudaCall(cudaFreeHost((*m)->host_sums));
  MglCudaCall(cudaFree((*m)->device_sums));
  free(*m);
  *m = NULL;
  return MGL_SUCCESS;
}

/* The value travels on a stream of its own, away from the solver's. */
MglErr MglMonitorAdd(MglMonitor m, MglField f, cudaStream_t stream) {
  if (m->count == m->capacity) return MGL_ERR_ARG;
  int slot = m->count++;
  sum_kernel<<<f->parts, 128, 0, stream>>>(f->cells, f->n,
                                           m->device_sums + slot);
  MglCudaCall(cudaGetLastError());
  MglCudaCall(cudaEventRecord(m->summed, stream));
  cudaStream_t carrier;
  MglCudaCall(cudaStreamCreateWithFlags(&carrier, cudaStreamNonBlocking));
  MglCudaCall(cudaStreamWaitEvent(carrier, m->summed, 0));
  MglCudaCall(cudaMemcpyAsync(m->host_sums + slot, m->device_sums + slot,
                              sizeof(unsigned), cudaMemcpyDeviceToHost,
                              carrier));
  MglCudaCall(cudaStreamDestroy(carrier));
  return MGL_SUCCESS;
}

MglErr MglMonitorRead(MglMonitor m, const unsigned **sums, int *count) {
  MglCudaCall(cudaDeviceSynchronize());
  *sums = m->host_sums;
  *count = m->count;
  return MGL_SUCCESS;
}
