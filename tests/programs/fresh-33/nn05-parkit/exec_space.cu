#include "exec_space.hpp"

namespace pk {
namespace impl {
void* ScratchBlock::require(std::size_t bytes) {
  if (bytes > capacity_) {
    check(cudaDeviceSynchronize());
    release();
    check(cudaMalloc(&ptr_, bytes));
    capacity_ = bytes;
  }
  return ptr_;
}

void ScratchBlock::release() {
  if (ptr_) cudaFree(ptr_);
  ptr_ = nullptr;
  capacity_ = 0;
}

DeviceState& DeviceState::get() {
  static DeviceState* state = new DeviceState;
  return *state;
}

void DeviceState::open(int device) {
  check(cudaSetDevice(device));
  check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
}

void DeviceState::close() {
  cudaDeviceSynchronize();
  scratch_.release();
}

InstanceState::InstanceState() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }

InstanceState::~InstanceState() {
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
}  // namespace impl

void initialize(int device) { impl::DeviceState::get().open(device); }

void finalize() { impl::DeviceState::get().close(); }

void* Cuda::scratch(std::size_t bytes) const { return impl::DeviceState::get().scratch().require(bytes); }
}  // namespace pk
