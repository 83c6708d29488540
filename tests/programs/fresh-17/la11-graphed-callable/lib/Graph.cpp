#include "Tensor.h"

namespace thx {

GraphedCallable::GraphedCallable(Fn fn, const Tensor& sample, int warmup) {
  const cudaStream_t stream = getCurrentStream();
  auto& allocator = CachingAllocator::get();

  for (int i = 0; i < warmup; ++i)
    fn(sample);
  static_in_ = Tensor::empty(sample.numel());
  static_in_.copy_(sample);
  THX_CUDA_CHECK(cudaStreamSynchronize(stream));
  THX_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  allocator.beginCapture();
  try {
    static_out_ = fn(static_in_);
  } catch (...) {
    cudaGraph_t dropped = nullptr;
    (void)cudaStreamEndCapture(stream, &dropped);
    if (dropped) (void)cudaGraphDestroy(dropped);
    (void)cudaGetLastError();
    allocator.releaseHeld(allocator.endCapture());
    throw;
  }
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph_);
  held_ = allocator.endCapture();
  THX_CUDA_CHECK(ended);
  THX_CUDA_CHECK(cudaGraphInstantiate(&exec_, graph_, 0));
}

GraphedCallable::~GraphedCallable() {
  if (exec_) (void)cudaGraphExecDestroy(exec_);
  if (graph_) (void)cudaGraphDestroy(graph_);
  CachingAllocator::get().releaseHeld(held_);
}

Tensor GraphedCallable::operator()(const Tensor& x) {
  static_in_.copy_(x);
  THX_CUDA_CHECK(cudaGraphLaunch(exec_, getCurrentStream()));
  return static_out_;
}

} // namespace thx
