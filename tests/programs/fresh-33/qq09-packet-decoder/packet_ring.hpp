#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

namespace vdec {

// A page-locked buffer on the host. `drained` completes when its content has
// left for the device.
struct HostSlot {
  std::uint8_t* bytes = nullptr;
  cudaEvent_t drained = nullptr;
};

// A buffer on the device.
struct DeviceSlot {
  std::uint8_t* bytes = nullptr;
  cudaEvent_t filled = nullptr;
  cudaEvent_t decoded = nullptr;
};

template <typename Slot>
class Ring {
 public:
  explicit Ring(std::size_t count) : slots_(count) {}
  Slot& next() { return slots_[cursor_++ % slots_.size()]; }
  auto begin() { return slots_.begin(); }
  auto end() { return slots_.end(); }

 private:
  std::vector<Slot> slots_;
  std::size_t cursor_ = 0;
};

}  // namespace vdec
