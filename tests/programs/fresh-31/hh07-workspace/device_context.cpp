#include "device_context.h"

#include <memory>

namespace relax {

DeviceContext::DeviceContext(int queues) : queues_(queues) {
  for (auto& q : queues_) check(cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking));
}

DeviceContext::~DeviceContext() {
  for (auto q : queues_) {
    cudaStreamSynchronize(q);
    cudaStreamDestroy(q);
  }
}

void DeviceContext::defer(cudaStream_t queue, std::function<void()> fn) {
  auto boxed = std::make_unique<std::function<void()>>(std::move(fn));
  auto run = [](void* p) {
    std::unique_ptr<std::function<void()>> f(static_cast<std::function<void()>*>(p));
    (*f)();
  };
  check(cudaLaunchHostFunc(queue, run, boxed.get()));
  boxed.release();
}

void DeviceContext::quiesce() {
  for (auto q : queues_) check(cudaStreamSynchronize(q));
}

}  // namespace relax
