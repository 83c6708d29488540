#include "chain.h"

namespace firchain {

chain::chain(std::size_t max_samples, cudaStream_t stream, method m)
    : stream_(stream), max_samples_(max_samples), backend_(make_backend(m)) {
  for (float*& p : scratch_)
    detail::expect(cudaMalloc(reinterpret_cast<void**>(&p), max_samples * sizeof(float)), "chain scratch");
}

chain::~chain() {
  cudaStreamSynchronize(stream_);
  for (float* p : scratch_) cudaFree(p);
}

void chain::enqueue(span<const float> in, span<float> out) {
  if (in.size > max_samples_ || out.size < in.size) throw std::length_error("chain::enqueue");
  if (stages_.empty()) {
    detail::expect(cudaMemcpyAsync(out.data, in.data, in.size * sizeof(float), cudaMemcpyDeviceToDevice, stream_),
                   "chain copy");
    return;
  }
  span<const float> source = in;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const bool last = i + 1 == stages_.size();
    span<float> target{last ? out.data : scratch_[i % 2], in.size};
    backend_->run(stages_[i], source, target, stream_);
    source = {target.data, target.size};
  }
}

}  // namespace firchain
