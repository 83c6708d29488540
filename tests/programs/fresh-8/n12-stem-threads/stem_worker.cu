#include "stem_worker.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace stems {

namespace {

constexpr std::uint64_t kBlockNanos = 40'000'000;

__global__ void mask(const int* mix, int* tmp, int n, int weight) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    tmp[i] = mix[i] * weight;
}

__global__ void smooth(const int* tmp, int* out, int n, std::uint64_t nanos) {
  std::uint64_t begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanos);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = tmp[i] + (i ? tmp[i - 1] : 0);
}

}  // namespace

void abortOn(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}

StemWorker::StemWorker(const StemConfig& cfg, const int* deviceMix) : cfg_(cfg), mix_(deviceMix) {
  abortOn(cudaMallocHost(&host_, sizeof(int) * cfg_.samples * cfg_.blocks));

  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.handleTypes = cudaMemHandleTypeNone;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  abortOn(cudaMemPoolCreate(&scratch_, &props));
  std::uint64_t keep = UINT64_MAX;
  abortOn(cudaMemPoolSetAttribute(scratch_, cudaMemPoolAttrReleaseThreshold, &keep));
}

StemWorker::~StemWorker() {
  cudaMemPoolDestroy(scratch_);
  cudaFreeHost(host_);
}

void StemWorker::extractBlock(int block) {
  const cudaStream_t s = cudaStreamPerThread;
  const std::size_t bytes = sizeof(int) * cfg_.samples;
  int *tmp = nullptr, *out = nullptr;

  abortOn(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&tmp), bytes, scratch_, s));
  abortOn(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&out), bytes, scratch_, s));
  mask<<<8, 128, 0, s>>>(mix_ + static_cast<std::size_t>(block) * cfg_.samples, tmp, cfg_.samples,
                         cfg_.weight);
  smooth<<<8, 128, 0, s>>>(tmp, out, cfg_.samples, kBlockNanos);
  abortOn(cudaGetLastError());
  abortOn(cudaFreeAsync(tmp, s));
  abortOn(cudaMemcpyAsync(host_ + static_cast<std::size_t>(block) * cfg_.samples, out, bytes,
                          cudaMemcpyDeviceToHost, s));
  abortOn(cudaFreeAsync(out, s));
}

void StemWorker::finish() { abortOn(cudaStreamSynchronize(cudaStreamPerThread)); }

}  // namespace stems
