#pragma once

#include <cuda_runtime.h>

namespace gradsync {

/// Thrown by the library when a CUDA call fails.
struct failure {
  cudaError_t code;
};

inline void ensure(cudaError_t rc)
{
  if (rc != cudaSuccess) throw failure{rc};
}

namespace detail {
inline cudaStream_t& stream_slot()
{
  thread_local cudaStream_t slot = nullptr;
  return slot;
}
}  // namespace detail

/// The stream in which this thread's library calls put their work.
inline cudaStream_t current_stream() { return detail::stream_slot(); }

/// Makes another stream current until the end of the scope.
class stream_guard {
 public:
  explicit stream_guard(cudaStream_t s) : before_(detail::stream_slot()) { detail::stream_slot() = s; }
  stream_guard(stream_guard const&) = delete;
  ~stream_guard() { detail::stream_slot() = before_; }

 private:
  cudaStream_t before_;
};

class event {
 public:
  event() { ensure(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
  event(event const&) = delete;
  ~event() { cudaEventDestroy(e_); }
  void record() { ensure(cudaEventRecord(e_, current_stream())); }
  void block() { ensure(cudaStreamWaitEvent(current_stream(), e_, 0)); }

 private:
  cudaEvent_t e_{};
};

}  // namespace gradsync
