#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <stdexcept>
#include <vector>

namespace relax {

struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw CudaError(cudaGetErrorName(e));
}

// The queues of a device and work of the host that is ordered in them.
class DeviceContext {
 public:
  explicit DeviceContext(int queues);
  ~DeviceContext();
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  cudaStream_t queue(int i) const { return queues_[i % queues_.size()]; }
  int queues() const { return static_cast<int>(queues_.size()); }

  // Runs `fn` on a driver thread when all earlier work of `queue` has ended.
  void defer(cudaStream_t queue, std::function<void()> fn);

  // Returns when all queues, deferred functions included, are empty.
  void quiesce();

 private:
  std::vector<cudaStream_t> queues_;
};

}  // namespace relax
