#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <stdexcept>

namespace pk {
class Failure : public std::runtime_error {
 public:
  explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw Failure(e);
}

namespace impl {
// Grow-only block for intermediate values of parallel patterns.
class ScratchBlock {
 public:
  ScratchBlock() = default;
  ScratchBlock(const ScratchBlock&) = delete;
  ScratchBlock& operator=(const ScratchBlock&) = delete;
  ~ScratchBlock() { release(); }

  void* require(std::size_t bytes);
  void release();

 private:
  void* ptr_ = nullptr;
  std::size_t capacity_ = 0;
};

// Properties and resources of the device, between initialize and finalize.
class DeviceState {
 public:
  static DeviceState& get();
  void open(int device);
  void close();

  int multiprocessors() const { return multiprocessors_; }
  ScratchBlock& scratch() { return scratch_; }

 private:
  int multiprocessors_ = 0;
  ScratchBlock scratch_;
};

struct InstanceState {
  InstanceState();
  ~InstanceState();
  cudaStream_t stream = nullptr;
};
}  // namespace impl

void initialize(int device = 0);
void finalize();

struct ScopeGuard {
  explicit ScopeGuard(int device = 0) { initialize(device); }
  ~ScopeGuard() { finalize(); }
};

// Execution space. Copies refer to the same instance; work of different
// instances may overlap.
class Cuda {
 public:
  Cuda() : state_(std::make_shared<impl::InstanceState>()) {}
  cudaStream_t stream() const { return state_->stream; }
  void fence() const { check(cudaStreamSynchronize(state_->stream)); }
  int concurrency() const { return impl::DeviceState::get().multiprocessors(); }
  void* scratch(std::size_t bytes) const;

 private:
  std::shared_ptr<impl::InstanceState> state_;
};
}  // namespace pk
