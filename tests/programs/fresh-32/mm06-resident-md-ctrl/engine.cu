#include "md.h"
#include <vector>

cudaStream_t g_stream[NST];
Atoms g_dev;
Mailbox *g_box;
static Mailbox *g_box_dev;
static SimParams *g_params_host;
static int g_seq = 0;

__device__ SimParams d_params;

__device__ static double wrap(double r, double box) {
  if (r >= box) r -= box;
  if (r < 0.0) r += box;
  return r;
}

// One resident block integrates all atoms and takes orders from the mailbox.
__global__ void md_resident(Atoms a, int n, volatile Mailbox *mb) {
  __shared__ int s_cmd, s_count, s_seq;
  __shared__ double s_dt, s_box;
  if (threadIdx.x == 0) s_seq = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      while (mb->seq == s_seq) __nanosleep(200);
      s_seq = mb->seq;
      __threadfence_system();
      s_cmd = mb->cmd;
      s_count = mb->count;
      volatile SimParams *p = &d_params;
      s_dt = p->dt;
      s_box = p->box;
    }
    __syncthreads();
    if (s_cmd == CMD_STEP) {
      for (int s = 0; s < s_count; ++s) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          a.x[i] = wrap(a.x[i] + s_dt * a.vx[i], s_box);
          a.y[i] = wrap(a.y[i] + s_dt * a.vy[i], s_box);
          a.z[i] = wrap(a.z[i] + s_dt * a.vz[i], s_box);
        }
      }
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) mb->ack = s_seq;
    if (s_cmd == CMD_QUIT) return;
    __syncthreads();
  }
}

static double *device_array(int n, double base, double slope) {
  std::vector<double> h(n);
  for (int i = 0; i < n; ++i) h[i] = base + slope * (i % 97);
  double *d;
  CK(cudaMalloc(&d, n * sizeof(double)));
  CK(cudaMemcpy(d, h.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  return d;
}

void engine_init(const Options &o) {
  CK(cudaSetDevice(0));
  for (int i = 0; i < NST; ++i)
    CK(cudaStreamCreateWithFlags(&g_stream[i], cudaStreamNonBlocking));
  CK(cudaHostAlloc(&g_params_host, sizeof(SimParams), cudaHostAllocDefault));
  g_dev.x = device_array(o.natoms, 1.0, 0.01);
  g_dev.y = device_array(o.natoms, 2.0, 0.01);
  g_dev.z = device_array(o.natoms, 3.0, 0.01);
  g_dev.vx = device_array(o.natoms, 0.1, 0.001);
  g_dev.vy = device_array(o.natoms, 0.2, 0.001);
  g_dev.vz = device_array(o.natoms, 0.3, 0.001);
  CK(cudaHostAlloc(&g_box, sizeof(Mailbox), cudaHostAllocMapped));
  CK(cudaDeviceSynchronize());
  g_box->seq = g_box->cmd = g_box->count = g_box->ack = 0;
  CK(cudaHostGetDevicePointer(&g_box_dev, g_box, 0));
}

void engine_start(int natoms) {
  md_resident<<<1, 512, 0, g_stream[ST_DYN]>>>(g_dev, natoms, g_box_dev);
  CK(cudaGetLastError());
}

void engine_params(const SimParams &p) {
  *g_params_host = p;
  CK(cudaMemcpyToSymbolAsync(d_params, g_params_host, sizeof(p), 0, cudaMemcpyHostToDevice,
                             g_stream[ST_CTRL]));
  CK(cudaStreamSynchronize(g_stream[ST_CTRL]));
}

static void post(int cmd, int count) {
  volatile Mailbox *mb = g_box;
  mb->cmd = cmd;
  mb->count = count;
  __sync_synchronize();
  mb->seq = ++g_seq;
  while (mb->ack != g_seq) {
  }
}

void engine_step(int n) { post(CMD_STEP, n); }

void engine_quit() {
  post(CMD_QUIT, 0);
  CK(cudaStreamSynchronize(g_stream[ST_DYN]));
}

void engine_fetch(double *x, double *y, double *z, int n) {
  size_t b = n * sizeof(double);
  CK(cudaMemcpyAsync(x, g_dev.x, b, cudaMemcpyDeviceToHost, g_stream[ST_IO]));
  CK(cudaMemcpyAsync(y, g_dev.y, b, cudaMemcpyDeviceToHost, g_stream[ST_IO]));
  CK(cudaMemcpyAsync(z, g_dev.z, b, cudaMemcpyDeviceToHost, g_stream[ST_IO]));
  CK(cudaStreamSynchronize(g_stream[ST_IO]));
}

void engine_shutdown() {
  double *all[] = {g_dev.x, g_dev.y, g_dev.z, g_dev.vx, g_dev.vy, g_dev.vz};
  for (double *p : all) CK(cudaFree(p));
  CK(cudaFreeHost(g_params_host));
  CK(cudaFreeHost(g_box));
  for (int i = 0; i < NST; ++i) CK(cudaStreamDestroy(g_stream[i]));
}
