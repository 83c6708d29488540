#pragma once
#include "view.hpp"

#include <vector>

namespace px {

// An instance of the execution space: an independent queue of the device.
class ExecSpace {
 public:
  ExecSpace() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ExecSpace(ExecSpace&& o) noexcept : stream_(std::exchange(o.stream_, nullptr)) {}
  ExecSpace& operator=(ExecSpace&&) = delete;
  ~ExecSpace() {
    if (stream_) cudaStreamDestroy(stream_);
  }

  cudaStream_t stream() const { return stream_; }
  void fence() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

inline std::vector<ExecSpace> partition_space(int n) { return std::vector<ExecSpace>(n); }

// Copies are queued in `exec`.
template <class T>
void deep_copy(const ExecSpace& exec, const HostView<T>& dst, const DeviceView<T>& src) {
  const std::size_t n = std::min(dst.extent(), src.extent());
  check(cudaMemcpyAsync(dst.data(), src.data(), n * sizeof(T), cudaMemcpyDeviceToHost, exec.stream()));
}

}  // namespace px
