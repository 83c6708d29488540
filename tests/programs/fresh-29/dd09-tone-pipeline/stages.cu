#include "stages.h"

#include <vector>

namespace {

__host__ __device__ inline int clampi(int v, int lo, int hi) {
  return v < lo ? lo : (v > hi ? hi : v);
}

__host__ __device__ inline unsigned char box(const unsigned char* in, int w, int h, int x, int y) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[clampi(y + dy, 0, h - 1) * w + clampi(x + dx, 0, w - 1)];
  return static_cast<unsigned char>(sum / 9);
}

__host__ __device__ inline unsigned char toned(unsigned char v, unsigned weight, int gain) {
  return static_cast<unsigned char>(v * gain / 16 + weight % 61);
}

__global__ void blur_kernel(const unsigned char* in, unsigned char* out, int w, int h) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x)
    out[i] = box(in, w, h, i % w, i / w);
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* bins, int n, long long ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while (static_cast<long long>(t - t0) < ns);
  __shared__ unsigned local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] * kBins / 256], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

__global__ void tone_kernel(const unsigned char* blurred, const unsigned* bins,
                            const ToneParams* params, unsigned char* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = toned(blurred[i], bins[blurred[i] * kBins / 256], params->gain);
}

}  // namespace

Blur::Arrays Blur::bind(Workspace& ws, Dims d, int slot) {
  return {ws.get<unsigned char>(slotted("frame", slot), d.pixels()),
          ws.get<unsigned char>("blurred", d.pixels())};
}

void Blur::launch(const Arrays& a, Dims d, cudaStream_t s) {
  blur_kernel<<<32, 256, 0, s>>>(a.in, a.out, d.width, d.height);
}

Histogram::Arrays Histogram::bind(Workspace& ws, Dims d, int slot) {
  return {ws.get<unsigned char>(slotted("frame", slot), d.pixels()),
          ws.get<unsigned>("bins", kBins)};
}

void Histogram::launch(const Arrays& a, Dims d, cudaStream_t s) {
  cuda(cudaMemsetAsync(a.bins, 0, kBins * sizeof(unsigned), s));
  histogram_kernel<<<16, 256, 0, s>>>(a.in, a.bins, d.pixels(), 1500000LL);
}

Tone::Arrays Tone::bind(Workspace& ws, Dims d, int slot) {
  return {ws.get<unsigned char>("blurred", d.pixels()), ws.get<unsigned>("bins", kBins),
          ws.get<ToneParams>(slotted("params", slot), 1),
          ws.get<unsigned char>(slotted("toned", slot), d.pixels())};
}

void Tone::launch(const Arrays& a, Dims d, cudaStream_t s) {
  tone_kernel<<<32, 256, 0, s>>>(a.blurred, a.bins, a.params, a.out, d.pixels());
}

void reference(const unsigned char* in, unsigned char* out, Dims d, ToneParams p) {
  std::vector<unsigned> bins(kBins, 0u);
  for (int i = 0; i < d.pixels(); ++i) ++bins[in[i] * kBins / 256];
  for (int i = 0; i < d.pixels(); ++i) {
    const unsigned char v = box(in, d.width, d.height, i % d.width, i / d.width);
    out[i] = toned(v, bins[v * kBins / 256], p.gain);
  }
}
