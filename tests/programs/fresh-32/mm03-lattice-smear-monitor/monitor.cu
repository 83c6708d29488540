#include "lattice.h"
#include <chrono>

__global__ void norm_partial(const double *f, double *part, int n) {
  __shared__ double s[128];
  double a = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a += f[i] * f[i];
  s[threadIdx.x] = a;
  __syncthreads();
  for (int w = 64; w > 0; w >>= 1) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = s[0];
}

void Monitor::body() {
  QCD_CHECK(cudaSetDevice(0));
  const int nb = 32;
  double *host;
  QCD_CHECK(cudaMallocHost(&host, nb * sizeof(double)));
  while (run.load()) {
    double *part;
    QCD_CHECK(cudaMalloc(&part, nb * sizeof(double)));
    norm_partial<<<nb, 128, 0, stream>>>(field, part, VOLUME);
    QCD_CHECK(cudaGetLastError());
    QCD_CHECK(cudaMemcpyAsync(host, part, nb * sizeof(double), cudaMemcpyDeviceToHost, stream));
    QCD_CHECK(cudaStreamSynchronize(stream));
    double sum = 0.0;
    for (int i = 0; i < nb; ++i) sum += host[i];
    last = sum / VOLUME;
    QCD_CHECK(cudaFree(part));
    samples.fetch_add(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  QCD_CHECK(cudaFreeHost(host));
}

void Monitor::start(const double *f) {
  field = f;
  QCD_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  run = true;
  th = std::thread(&Monitor::body, this);
}

void Monitor::stop() {
  run = false;
  th.join();
  QCD_CHECK(cudaStreamDestroy(stream));
}
