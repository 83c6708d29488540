#include "renderer.cuh"

#include <vector>

namespace {

__device__ unsigned long long device_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__host__ __device__ int radiance(int pixel, int sample) { return (pixel * 31 + sample * 57) % 255; }

__global__ void trace(int* film, int first_pixel, int count, int sample, Activity* act) {
  const unsigned long long begin = device_ns();
  if (threadIdx.x == 0) atomicMin(&act->first, begin);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    film[first_pixel + i] += radiance(first_pixel + i, sample);
  while (device_ns() - begin < 4000000ull) {
  }
  if (threadIdx.x == 0) atomicMax(&act->last, device_ns());
}

}  // namespace

Renderer::Renderer() {
  for (auto& l : lanes_) RT_CHECK(cudaStreamCreateWithFlags(&l, cudaStreamNonBlocking));
  RT_CHECK(cudaMalloc(&film_, kTiles * kTilePixels * sizeof(int)));
  RT_CHECK(cudaMalloc(&activity_, sizeof(Activity)));
  RT_CHECK(cudaMemset(film_, 0, kTiles * kTilePixels * sizeof(int)));
  reset_activity();
}

Renderer::~Renderer() {
  for (auto l : lanes_) cudaStreamDestroy(l);
  cudaFree(film_);
  cudaFree(activity_);
}

void Renderer::tile(int index, int sample) {
  trace<<<8, 256, 0, lanes_[index % kLanes]>>>(film_, index * kTilePixels, kTilePixels, sample, activity_);
  RT_CHECK(cudaGetLastError());
}

void Renderer::reset_activity() {
  const Activity none;
  RT_CHECK(cudaMemcpy(activity_, &none, sizeof none, cudaMemcpyHostToDevice));
  RT_CHECK(cudaDeviceSynchronize());
}

Activity Renderer::activity() const {
  Activity a;
  RT_CHECK(cudaDeviceSynchronize());
  RT_CHECK(cudaMemcpy(&a, activity_, sizeof a, cudaMemcpyDeviceToHost));
  return a;
}

int Renderer::verify(int samples) const {
  std::vector<int> film(kTiles * kTilePixels);
  RT_CHECK(cudaDeviceSynchronize());
  RT_CHECK(cudaMemcpy(film.data(), film_, film.size() * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int p = 0; p < static_cast<int>(film.size()); ++p) {
    int want = 0;
    for (int s = 0; s < samples; ++s) want += radiance(p, s);
    wrong += film[p] != want;
  }
  return wrong;
}
