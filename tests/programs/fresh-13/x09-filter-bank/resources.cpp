#include "resources.h"

#include <cstdio>
#include <cstdlib>

namespace imgx {

void checkCuda(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::fflush(stdout);
  std::_Exit(1);
}

StandardGpuResources::StandardGpuResources(std::size_t pinnedBytes) : pinnedBytes_(pinnedBytes) {
  checkCuda(cudaStreamCreateWithFlags(&default_, cudaStreamNonBlocking));
  checkCuda(cudaStreamCreateWithFlags(&alternate_, cudaStreamNonBlocking));
  checkCuda(cudaHostAlloc(&pinned_, pinnedBytes_, cudaHostAllocDefault));
}

StandardGpuResources::~StandardGpuResources() {
  checkCuda(cudaStreamSynchronize(default_));
  checkCuda(cudaStreamSynchronize(alternate_));
  checkCuda(cudaFreeHost(pinned_));
  checkCuda(cudaStreamDestroy(default_));
  checkCuda(cudaStreamDestroy(alternate_));
}

}  // namespace imgx
