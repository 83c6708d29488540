#include "beamformer.hpp"

namespace corr {
namespace {

__global__ void form_beam(const float2* voltages, const float2* weights, int antennas, std::size_t n, float2* beam) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 sum = make_float2(0.0f, 0.0f);
  for (int a = 0; a < antennas; ++a) {
    const float2 v = voltages[a * n + i], w = weights[a];
    sum.x += v.x * w.x - v.y * w.y;
    sum.y += v.x * w.y + v.y * w.x;
  }
  beam[i] = sum;
}

__global__ void detect(const float2* beam, int samples, float* power) {
  __shared__ float part[256];
  const float2* channel = beam + std::size_t(blockIdx.x) * samples;
  float sum = 0.0f;
  for (int t = threadIdx.x; t < samples; t += blockDim.x) sum += channel[t].x * channel[t].x + channel[t].y * channel[t].y;
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) power[blockIdx.x] = part[0];
}

}  // namespace

beamformer::beamformer(const array_layout& layout, const float2* weights, device_resource& resource)
    : layout_(layout), resource_(resource) {
  const std::size_t bytes = sizeof(float2) * std::size_t(layout.antennas);
  check(cudaMalloc(&weights_, bytes));
  cudaError_t e = cudaMemcpy(weights_, weights, bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  if (e != cudaSuccess) {
    cudaFree(weights_);
    throw cuda_failure(e);
  }
}

beamformer::~beamformer() { cudaFree(weights_); }

void beamformer::process(span<const float2> voltages, span<float> power, const correction& correct,
                         cudaStream_t stream) const {
  if (voltages.size != layout_.voltages() || power.size != std::size_t(layout_.channels))
    throw std::invalid_argument("sizes do not fit the layout");
  scratch<float2> beam(layout_.spectrum(), resource_, stream);
  const unsigned blocks = static_cast<unsigned>((beam.size() + 255) / 256);
  form_beam<<<blocks, 256, 0, stream>>>(voltages.data, weights_, layout_.antennas, beam.size(), beam.data());
  check(cudaGetLastError());
  if (correct) correct({beam.data(), beam.size()}, stream);
  detect<<<layout_.channels, 256, 0, stream>>>(beam.data(), layout_.samples, power.data);
  check(cudaGetLastError());
}

}  // namespace corr
