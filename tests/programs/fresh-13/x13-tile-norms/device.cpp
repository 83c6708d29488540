#include "device.h"

#include <cstdio>
#include <cstdlib>

namespace amx {

std::array<cudaStream_t, Device::kStreams> Device::streams_{};
int Device::active_ = 0;

void Device::Initialize() {
  AMX_CUDA(cudaSetDevice(0));
  for (cudaStream_t& s : streams_) AMX_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

void Device::Finalize() {
  for (cudaStream_t& s : streams_) AMX_CUDA(cudaStreamDestroy(s));
}

void Device::streamSynchronizeAll() {
  for (cudaStream_t s : streams_) AMX_CUDA(cudaStreamSynchronize(s));
}

void Device::check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", what);
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace amx
