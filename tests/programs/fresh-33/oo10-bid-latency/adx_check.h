#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

namespace adx {

struct CudaError : std::runtime_error {
  explicit CudaError(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)), code(c) {}
  cudaError_t code;
};

inline void ok(cudaError_t c) {
  if (c != cudaSuccess) throw CudaError(c);
}

// Move-only handle around the create/destroy pairs of the runtime.
template <class H, cudaError_t (*Destroy)(H)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(H h) : h_(h) {}
  Handle(Handle&& o) noexcept : h_(o.h_) { o.h_ = nullptr; }
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (h_) Destroy(h_);
  }
  H get() const { return h_; }

 private:
  H h_ = nullptr;
};

using Stream = Handle<cudaStream_t, cudaStreamDestroy>;
using Event = Handle<cudaEvent_t, cudaEventDestroy>;

inline Stream makeStream() {
  cudaStream_t s = nullptr;
  ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return Stream(s);
}

inline Event makeEvent(unsigned flags) {
  cudaEvent_t e = nullptr;
  ok(cudaEventCreateWithFlags(&e, flags));
  return Event(e);
}

}  // namespace adx
