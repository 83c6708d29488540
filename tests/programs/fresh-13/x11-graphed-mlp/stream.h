#pragma once
// Thread local current stream with a guard, and a small fixed set of side streams.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace tl {

#define TL_CHECK(expr)                                        \
  do {                                                        \
    const cudaError_t tl_status = (expr);                     \
    if (tl_status != cudaSuccess) {                           \
      std::printf("ERROR %s\n", cudaGetErrorName(tl_status)); \
      std::fflush(stdout);                                    \
      std::_Exit(1);                                          \
    }                                                         \
  } while (0)

namespace detail {
inline cudaStream_t& current_slot() {
  thread_local cudaStream_t stream = nullptr;
  return stream;
}
inline std::array<cudaStream_t, 4>& pool() {
  static std::array<cudaStream_t, 4> streams = [] {
    std::array<cudaStream_t, 4> made{};
    for (cudaStream_t& s : made) TL_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return made;
  }();
  return streams;
}
}  // namespace detail

inline cudaStream_t get_stream_from_pool() {
  static unsigned next = 0;
  return detail::pool()[next++ % detail::pool().size()];
}

inline cudaStream_t get_current_stream() {
  cudaStream_t& slot = detail::current_slot();
  if (!slot) slot = get_stream_from_pool();
  return slot;
}

class StreamGuard {
 public:
  explicit StreamGuard(cudaStream_t stream) : previous_(get_current_stream()) {
    detail::current_slot() = stream;
  }
  ~StreamGuard() { detail::current_slot() = previous_; }
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  cudaStream_t previous_;
};

}  // namespace tl
