#include "lane.h"
#include "ranges.cuh"

namespace {

__device__ void workFor(int micros) {
  const unsigned long long start = deviceNanos();
  while (deviceNanos() - start < 1000ull * micros) {
  }
}

__global__ void seedKernel(unsigned* signal, unsigned long long* energy, int id) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  signal[i] = static_cast<unsigned>(i + id);
  if (i == 0) *energy = 0;
}

__global__ void filterKernel(unsigned* signal, int micros) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  workFor(micros);
  signal[i] += 3;
}

__global__ void foldKernel(const unsigned* signal, unsigned long long* energy, int micros) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  workFor(micros);
  atomicAdd(energy, static_cast<unsigned long long>(signal[i]));
}

}  // namespace

Lane::Lane(int id) : id_(id) {
  CHECK(cudaStreamCreate(&stream_));
  CHECK(cudaMalloc(&signal_, kSamples * sizeof(unsigned)));
  CHECK(cudaMalloc(&energy_, sizeof(unsigned long long)));
}

Lane::~Lane() {
  cudaStreamDestroy(stream_);
  cudaFree(signal_);
  cudaFree(energy_);
}

void Lane::restart() {
  seedKernel<<<kSamples / 128, 128, 0, stream_>>>(signal_, energy_, id_);
  CHECK(cudaGetLastError());
}

void Lane::process(RangeRecorder& recorder, int stageMicros) {
  {
    PROFILE_SCOPE(recorder, "filter", stream_);
    filterKernel<<<kSamples / 128, 128, 0, stream_>>>(signal_, stageMicros);
    CHECK(cudaGetLastError());
  }
  {
    PROFILE_SCOPE(recorder, "fold", stream_);
    foldKernel<<<kSamples / 128, 128, 0, stream_>>>(signal_, energy_, stageMicros);
    CHECK(cudaGetLastError());
  }
}

unsigned long long Lane::energy() const {
  unsigned long long value = 0;
  CHECK(cudaMemcpy(&value, energy_, sizeof(value), cudaMemcpyDeviceToHost));
  return value;
}

unsigned long long Lane::expected(int rounds) const {
  unsigned long long sum = 0;
  for (int r = 1; r <= rounds; ++r) {
    for (int i = 0; i < kSamples; ++i) sum += static_cast<unsigned>(i + id_ + 3 * r);
  }
  return sum;
}
