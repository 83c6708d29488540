#include <algorithm>
#include <stdexcept>

#include "filter.h"

namespace imgx {
namespace {

__device__ void integrate_for(unsigned long long ns) {
  unsigned long long a, b;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b));
  } while (b - a < ns);
}

__global__ void exposeKernel(Plane raw, int seed) {
  integrate_for(60'000'000ULL);
  const int n = raw.width * raw.height;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    raw.data[i] = float((i * 5 + seed) % 23);
}

__global__ void rowFilter(Plane in, Plane out, const float* taps, int count) {
  integrate_for(20'000'000ULL);
  const int n = in.width * in.height;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int y = i / in.width, x = i % in.width;
    float acc = 0.f;
    for (int t = 0; t < count; ++t) {
      const int sx = min(max(x + t - count / 2, 0), in.width - 1);
      acc += taps[t] * in.data[y * in.width + sx];
    }
    out.data[i] = acc;
  }
}

}  // namespace

FilterBank::FilterBank(std::shared_ptr<GpuResources> resources)
    : resources_(std::move(resources)) {
  checkCuda(cudaMalloc(&deviceTaps_, kMaxTaps * sizeof(float)));
}

FilterBank::~FilterBank() {
  resources_->syncDefaultStream();
  checkCuda(cudaFree(deviceTaps_));
}

void FilterBank::expose(const Plane& raw, int seed) {
  exposeKernel<<<16, 256, 0, resources_->getDefaultStream()>>>(raw, seed);
  checkCuda(cudaGetLastError());
}

void FilterBank::apply(const Plane& in, const Plane& out, const std::vector<float>& taps) {
  if (taps.empty() || taps.size() > std::size_t(kMaxTaps)) throw std::invalid_argument("taps");
  cudaStream_t stream = resources_->getDefaultStream();
  auto [pinned, capacity] = resources_->getPinnedMemory();
  const std::size_t bytes = taps.size() * sizeof(float);
  if (bytes > capacity) throw std::length_error("pinned memory");

  float* upload = static_cast<float*>(pinned);
  std::copy(taps.begin(), taps.end(), upload);
  checkCuda(cudaMemcpyAsync(deviceTaps_, upload, bytes, cudaMemcpyHostToDevice, stream));
  rowFilter<<<16, 256, 0, stream>>>(in, out, deviceTaps_, int(taps.size()));
  checkCuda(cudaGetLastError());
}

}  // namespace imgx
