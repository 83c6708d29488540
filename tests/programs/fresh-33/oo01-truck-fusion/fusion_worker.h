#pragma once
#include <cstdint>
#include "lanes.h"

namespace haul {

constexpr uint32_t kPoints = 1024;
constexpr uint32_t kMaxFrames = 64;
constexpr uint32_t kParkVehicle = 0xffffffffu;

struct Extrinsics {
  float gain, bias;
};

// Shared between the host and the resident fusion loop.
struct Mailbox {
  uint32_t doorbell;
  uint32_t posted;
  float points[kPoints];
  float energy[kMaxFrames];
};

// Lens and lidar extrinsics in device memory, updated while the truck drives.
class CalibrationStore {
 public:
  ~CalibrationStore() {
    cudaFree(device_);
    cudaFreeHost(staging_);
  }
  Status init(const Extrinsics& factory);
  Status apply(const Extrinsics& next);
  const Extrinsics* device() const { return device_; }

 private:
  Extrinsics *staging_ = nullptr, *device_ = nullptr;
};

// Front of the resident loop: starts it, hands frames over, parks it.
class FusionWorker {
 public:
  explicit FusionWorker(const LaneRegistry& lanes) : lanes_(lanes) {}
  ~FusionWorker();
  Status init();
  Status start(const CalibrationStore& calibration);
  void ring(uint32_t seq);
  float collect(uint32_t seq) const;
  Status park();
  Status history(float* out, uint32_t frames) const;
  float* points() { return host_->points; }

 private:
  const LaneRegistry& lanes_;
  Mailbox *host_ = nullptr, *mapped_ = nullptr;
  float* history_ = nullptr;
  bool running_ = false;
};

}  // namespace haul
