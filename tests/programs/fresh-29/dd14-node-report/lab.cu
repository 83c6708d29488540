#include "lab.h"

#include <string.h>

#define WORDS ((size_t)8 << 20)

__global__ static void beat(long long ns, unsigned *counter) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while ((long long)(t - t0) < ns);
  if (threadIdx.x == 0) atomicAdd(counter, 1u);
}

__global__ static void triad(const unsigned *a, unsigned *b, size_t n) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    b[i] += 3u * a[i];
}

static cudaError_t launch_beat(lab *l, cudaStream_t s, long long ns) {
  beat<<<1, 32, 0, s>>>(ns, l->counter);
  return cudaGetLastError();
}

static cudaError_t no_preparation(lab *l) {
  (void)l;
  return cudaSuccess;
}

/* One kernel. */
static cudaError_t run_single(lab *l) {
  ++l->beats;
  return launch_beat(l, l->main, 2000000LL);
}

/* Two kernels next to each other. */
static cudaError_t run_pair(lab *l) {
  l->beats += 2;
  PASS(cudaEventRecord(l->fork, l->main));
  PASS(cudaStreamWaitEvent(l->aux, l->fork, 0));
  PASS(launch_beat(l, l->aux, 3000000LL));
  PASS(launch_beat(l, l->main, 2000000LL));
  PASS(cudaEventRecord(l->join, l->aux));
  return cudaStreamWaitEvent(l->main, l->join, 0);
}

/* Three kernels in a row with a fourth beside them, as a graph. */
static cudaError_t capture_diamond(lab *l) {
  PASS(cudaEventRecord(l->fork, l->main));
  PASS(cudaStreamWaitEvent(l->aux, l->fork, 0));
  PASS(launch_beat(l, l->aux, 2000000LL));
  PASS(cudaEventRecord(l->join, l->aux));
  for (int k = 0; k < 3; ++k) PASS(launch_beat(l, l->main, 1000000LL));
  return cudaStreamWaitEvent(l->main, l->join, 0);
}

static cudaError_t prepare_graph(lab *l) {
  cudaGraph_t g = NULL;
  PASS(cudaStreamBeginCapture(l->main, cudaStreamCaptureModeThreadLocal));
  const cudaError_t in = capture_diamond(l);
  const cudaError_t end = cudaStreamEndCapture(l->main, &g);
  if (in != cudaSuccess || end != cudaSuccess) {
    if (g) cudaGraphDestroy(g);
    return in != cudaSuccess ? in : end;
  }
  const cudaError_t made = cudaGraphInstantiate(&l->graph, g, 0);
  cudaGraphDestroy(g);
  PASS(made);
  return cudaGraphUpload(l->graph, l->main);
}

static cudaError_t run_graph(lab *l) {
  l->beats += 4;
  return cudaGraphLaunch(l->graph, l->main);
}

/* Host in the loop: the second kernel goes out when the first is seen done. */
static cudaError_t run_handoff(lab *l) {
  l->beats += 2;
  PASS(launch_beat(l, l->main, 2000000LL));
  PASS(cudaMemcpyAsync(l->counter_host, l->counter, sizeof(unsigned), cudaMemcpyDeviceToHost,
                       l->main));
  PASS(cudaEventRecord(l->step, l->main));
  PASS(cudaEventSynchronize(l->step));
  if (*l->counter_host != l->beats - 1) return cudaErrorUnknown;
  return launch_beat(l, l->main, 2000000LL);
}

static cudaError_t run_upload(lab *l) {
  return cudaMemcpyAsync(l->a, l->pinned, l->words * sizeof(unsigned), cudaMemcpyHostToDevice,
                         l->main);
}

static cudaError_t run_triad(lab *l) {
  ++l->triads;
  triad<<<1056, 256, 0, l->main>>>(l->a, l->b, l->words);
  return cudaGetLastError();
}

const test node_tests[] = {
    {"single", no_preparation, run_single, 5, 2.0},
    {"pair", no_preparation, run_pair, 5, 3.0},
    {"graph", prepare_graph, run_graph, 5, 3.0},
    {"handoff", no_preparation, run_handoff, 5, 4.0},
    {"upload", no_preparation, run_upload, 8, 0.0},
    {"triad", no_preparation, run_triad, 200, 0.0},
};
const int node_test_count = (int)(sizeof(node_tests) / sizeof(node_tests[0]));

cudaError_t lab_open(lab *l) {
  memset(l, 0, sizeof(*l));
  l->words = WORDS;
  const size_t bytes = l->words * sizeof(unsigned);
  PASS(cudaStreamCreateWithFlags(&l->main, cudaStreamNonBlocking));
  PASS(cudaStreamCreateWithFlags(&l->aux, cudaStreamNonBlocking));
  PASS(cudaEventCreate(&l->t0));
  PASS(cudaEventCreate(&l->t1));
  PASS(cudaEventCreateWithFlags(&l->fork, cudaEventDisableTiming));
  PASS(cudaEventCreateWithFlags(&l->join, cudaEventDisableTiming));
  PASS(cudaEventCreateWithFlags(&l->step, cudaEventDisableTiming));
  PASS(cudaMalloc(&l->a, bytes));
  PASS(cudaMalloc(&l->b, bytes));
  PASS(cudaMalloc(&l->counter, sizeof(unsigned)));
  PASS(cudaMallocHost(&l->pinned, bytes));
  PASS(cudaMallocHost(&l->counter_host, sizeof(unsigned)));
  for (size_t i = 0; i < l->words; ++i) l->pinned[i] = (unsigned)(i * 7 + 1);
  PASS(cudaMemsetAsync(l->b, 0, bytes, l->main));
  return cudaMemsetAsync(l->counter, 0, sizeof(unsigned), l->main);
}

void lab_close(lab *l) {
  if (l->main) cudaStreamSynchronize(l->main);
  if (l->graph) cudaGraphExecDestroy(l->graph);
  cudaEvent_t events[] = {l->t0, l->t1, l->fork, l->join, l->step};
  for (cudaEvent_t e : events)
    if (e) cudaEventDestroy(e);
  if (l->aux) cudaStreamDestroy(l->aux);
  if (l->main) cudaStreamDestroy(l->main);
  cudaFree(l->a);
  cudaFree(l->b);
  cudaFree(l->counter);
  if (l->pinned) cudaFreeHost(l->pinned);
  if (l->counter_host) cudaFreeHost(l->counter_host);
}

cudaError_t lab_verify(lab *l, int *bad) {
  const unsigned triads = l->triads;
  const size_t bytes = l->words * sizeof(unsigned);
  PASS(cudaMemcpyAsync(l->counter_host, l->counter, sizeof(unsigned), cudaMemcpyDeviceToHost,
                       l->main));
  PASS(cudaMemcpyAsync(l->pinned, l->b, bytes, cudaMemcpyDeviceToHost, l->main));
  PASS(cudaStreamSynchronize(l->main));
  *bad += *l->counter_host != l->beats;
  for (size_t i = 0; i < l->words; ++i)
    *bad += l->pinned[i] != 3u * triads * (unsigned)(i * 7 + 1);
  return cudaSuccess;
}
