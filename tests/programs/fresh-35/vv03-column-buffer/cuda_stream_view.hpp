#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace colm {

struct cuda_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void throw_on_error(cudaError_t status) {
  if (status != cudaSuccess) {
    throw cuda_error{cudaGetErrorName(status)};
  }
}

/// Non-owning, strongly typed stream handle.
class cuda_stream_view {
 public:
  constexpr cuda_stream_view() = default;
  constexpr cuda_stream_view(cudaStream_t stream) noexcept : stream_{stream} {}

  [[nodiscard]] constexpr cudaStream_t value() const noexcept {
    return stream_;
  }
  void synchronize() const { throw_on_error(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
};

class cuda_stream {
 public:
  cuda_stream() {
    throw_on_error(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~cuda_stream() { cudaStreamDestroy(stream_); }
  cuda_stream(cuda_stream const&) = delete;
  cuda_stream& operator=(cuda_stream const&) = delete;

  [[nodiscard]] cuda_stream_view view() const noexcept { return {stream_}; }
  operator cuda_stream_view() const noexcept { return view(); }

 private:
  cudaStream_t stream_{};
};

/// Makes later work of `downstream` follow what `upstream` holds now.
inline void join(cuda_stream_view downstream, cuda_stream_view upstream) {
  cudaEvent_t event{};
  throw_on_error(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  throw_on_error(cudaEventRecord(event, upstream.value()));
  throw_on_error(cudaStreamWaitEvent(downstream.value(), event, 0));
  throw_on_error(cudaEventDestroy(event));
}

}  // namespace colm
