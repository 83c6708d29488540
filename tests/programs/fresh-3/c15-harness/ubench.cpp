#include "ubench.hpp"

#include <algorithm>
#include <utility>

namespace ubench {

gpu_timer::gpu_timer(cudaStream_t stream) : stream_(stream) {
  verify(cudaEventCreate(&begin_));
  verify(cudaEventCreate(&end_));
}

gpu_timer::~gpu_timer() {
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
}

float gpu_timer::milliseconds() const {
  float ms = 0.f;
  verify(cudaEventSynchronize(end_));
  verify(cudaEventElapsedTime(&ms, begin_, end_));
  return ms;
}

runner::runner(options const& opt) : opt_(opt) {
  verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  int dev = 0, l2 = 0;
  verify(cudaGetDevice(&dev));
  verify(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, dev));
  l2_bytes_ = static_cast<std::size_t>(std::max(l2, 1 << 20));
  verify(cudaMalloc(&l2_scratch_, l2_bytes_));
  evict_cache(stream_);
  verify(cudaStreamSynchronize(stream_));
}

runner::~runner() {
  cudaFree(l2_scratch_);
  cudaStreamDestroy(stream_);
}

void runner::evict_cache(cudaStream_t stream) {
  verify(cudaMemsetAsync(l2_scratch_, 0, l2_bytes_, stream));
}

measurement runner::run(std::string name, double bytes, body const& fn, cudaStream_t stream) {
  for (int i = 0; i < opt_.warmups; ++i) fn(stream);
  verify(cudaStreamSynchronize(stream));

  gpu_timer timer(stream_);
  std::vector<double> ms;
  ms.reserve(opt_.samples);
  for (int i = 0; i < opt_.samples; ++i) {
    if (opt_.flush_l2) evict_cache(stream);
    timer.start();
    fn(stream);
    timer.stop();
    ms.push_back(timer.milliseconds());
    verify(cudaStreamSynchronize(stream));
  }

  std::sort(ms.begin(), ms.end());
  measurement m;
  m.name = std::move(name);
  m.min_ms = ms.front();
  m.median_ms = ms[ms.size() / 2];
  m.bytes_per_second = bytes / (m.median_ms * 1e-3);
  return m;
}

}  // namespace ubench
