/* Beamformer that lives on the device for the whole survey: pings are handed
 * to it through a mailbox in host memory. */
#include "sonar.h"

#include <string.h>

#define TRY(x)                          \
  do {                                  \
    cudaError_t rc_ = (x);              \
    if (rc_ != cudaSuccess) return rc_; \
  } while (0)

__global__ void dc_block(const short *raw, float *line, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) line[i] = (float)(raw[i] - 64);
}

__global__ void beam_server(mailbox_t *box, const float *line, int n) {
  __shared__ int seq;
  __shared__ float part[128];
  const int beam = blockIdx.x;
  int last = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      int s;
      while ((s = *(volatile int *)&box->seq) == last) __nanosleep(1000);
      __threadfence_system();
      last = s;
      seq = s;
    }
    __syncthreads();
    if (seq == SONAR_STOP) return;

    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      float v = *(const volatile float *)(line + (i + beam * 5) % n);
      sum += v * (float)(i & beam);
    }
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int w = blockDim.x / 2; w > 0; w /= 2) {
      if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      *(volatile float *)&box->energy[beam] = part[0];
      __threadfence_system();
      *(volatile int *)&box->ack[beam] = last;
    }
    __syncthreads();
  }
}

static cudaError_t intake(sonar_t *s) {
  TRY(cudaMemcpyAsync(s->raw_dev, s->raw_host, SONAR_SAMPLES * sizeof(short), cudaMemcpyHostToDevice, s->intake));
  dc_block<<<SONAR_SAMPLES / 256, 256, 0, s->intake>>>(s->raw_dev, s->line_dev, SONAR_SAMPLES);
  TRY(cudaGetLastError());
  return cudaStreamSynchronize(s->intake);
}

cudaError_t sonar_open(sonar_t *s) {
  memset(s, 0, sizeof *s);
  TRY(cudaStreamCreateWithFlags(&s->server, cudaStreamNonBlocking));
  TRY(cudaStreamCreateWithFlags(&s->intake, cudaStreamNonBlocking));
  TRY(cudaHostAlloc((void **)&s->box, sizeof(mailbox_t), cudaHostAllocMapped));
  TRY(cudaHostGetDevicePointer((void **)&s->box_dev, s->box, 0));
  TRY(cudaMallocHost((void **)&s->raw_host, SONAR_SAMPLES * sizeof(short)));
  TRY(cudaMalloc((void **)&s->raw_dev, SONAR_SAMPLES * sizeof(short)));
  TRY(cudaMalloc((void **)&s->line_dev, SONAR_SAMPLES * sizeof(float)));
  memset(s->box, 0, sizeof(mailbox_t));
  memset(s->raw_host, 0, SONAR_SAMPLES * sizeof(short));
  TRY(intake(s)); /* a silent ping */
  beam_server<<<SONAR_BEAMS, 128, 0, s->server>>>(s->box_dev, s->line_dev, SONAR_SAMPLES);
  return cudaGetLastError();
}

cudaError_t sonar_ping(sonar_t *s, int ping) {
  TRY(intake(s));
  __sync_synchronize();
  *(volatile int *)&s->box->seq = ping;
  return cudaSuccess;
}

void sonar_collect(sonar_t *s, int ping, float *energy) {
  for (int b = 0; b < SONAR_BEAMS; ++b) {
    while (*(volatile int *)&s->box->ack[b] != ping) {
    }
    __sync_synchronize();
    energy[b] = *(volatile float *)&s->box->energy[b];
  }
}

cudaError_t sonar_close(sonar_t *s) {
  *(volatile int *)&s->box->seq = SONAR_STOP;
  TRY(cudaStreamSynchronize(s->server));
  TRY(cudaFree(s->line_dev));
  TRY(cudaFree(s->raw_dev));
  TRY(cudaFreeHost(s->raw_host));
  TRY(cudaFreeHost(s->box));
  TRY(cudaStreamDestroy(s->intake));
  return cudaStreamDestroy(s->server);
}
