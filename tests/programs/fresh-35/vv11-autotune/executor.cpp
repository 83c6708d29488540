#include "executor.h"

namespace hlx {

StatusOr<std::unique_ptr<Stream>> Stream::Create() {
  cudaStream_t handle;
  HLX_CUDA(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking));
  return std::unique_ptr<Stream>(new Stream(handle));
}

StatusOr<std::unique_ptr<Executor>> Executor::Create() {
  auto stream = Stream::Create();
  HLX_RETURN_IF_ERROR(stream.status());
  auto executor = std::make_unique<Executor>();
  executor->main_ = std::move(stream.value());
  return StatusOr<std::unique_ptr<Executor>>(std::move(executor));
}

}  // namespace hlx
