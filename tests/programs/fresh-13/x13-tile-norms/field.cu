#include "field.h"

namespace amx {
namespace {

__global__ void set_tile(double* data, std::size_t n, double value) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    data[i] = value;
}

__global__ void norm_tile(const double* data, std::size_t n, double* out, NormCost cost) {
  __shared__ double part[256];
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < cost.ns);
  double acc = 0;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) acc += data[i] * data[i];
  part[threadIdx.x] = acc;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}

}  // namespace

NormReducer::NormReducer(int tiles) : host_(tiles, 0.0) {
  AMX_CUDA(cudaMalloc(&device_, tiles * sizeof(double)));
}

NormReducer::~NormReducer() {
  Device::streamSynchronizeAll();
  AMX_CUDA(cudaFree(device_));
}

void NormReducer::eval(int tile, const double* data, std::size_t cells, NormCost cost) {
  cudaStream_t stream = Device::stream();
  norm_tile<<<1, 256, 0, stream>>>(data, cells, device_ + tile, cost);
  AMX_CUDA(cudaGetLastError());
  AMX_CUDA(cudaMemcpyAsync(host_.data() + tile, device_ + tile, sizeof(double),
                           cudaMemcpyDeviceToHost, stream));
}

const std::vector<double>& NormReducer::values() {
  Device::streamSynchronizeAll();
  return host_;
}

TileField::TileField(int tiles, std::size_t cells) : cells_(cells), data_(tiles) {
  for (double*& p : data_) AMX_CUDA(cudaMalloc(&p, cells_ * sizeof(double)));
}

TileField::~TileField() {
  for (double* p : data_) AMX_CUDA(cudaFree(p));
}

void TileField::setVal(double base) {
  for (TileIter it(tiles()); it.valid(); ++it)
    set_tile<<<8, 256, 0, Device::stream()>>>(tile(it.index()), cells_, base + it.index());
  AMX_CUDA(cudaGetLastError());
  Device::streamSynchronizeAll();
}

}  // namespace amx
