#include "bench.h"

#include <algorithm>

namespace bench {

Session::Session(int helpers) {
  must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  must(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  for (int i = 0; i < helpers; ++i) {
    cudaStream_t h = nullptr;
    cudaEvent_t e = nullptr;
    must(cudaStreamCreateWithFlags(&h, cudaStreamNonBlocking));
    helpers_.push_back(h);
    must(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    joins_.push_back(e);
  }
}

Session::~Session() {
  cudaStreamSynchronize(stream_);
  for (cudaStream_t h : helpers_) cudaStreamDestroy(h);
  for (cudaEvent_t e : joins_) cudaEventDestroy(e);
  cudaEventDestroy(fork_);
  cudaStreamDestroy(stream_);
  cudaFree(sweep_);
}

void Session::evict_cache(cudaStream_t s) {
  if (!sweep_) {
    int device = 0, l2 = 0;
    must(cudaGetDevice(&device));
    must(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    sweep_bytes_ = std::max<size_t>(2 * static_cast<size_t>(l2), 32u << 20);
    must(cudaMalloc(&sweep_, sweep_bytes_));
  }
  must(cudaMemsetAsync(sweep_, 0x5A, sweep_bytes_, s));
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace bench
