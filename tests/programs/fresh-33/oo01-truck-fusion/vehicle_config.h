#pragma once
// Static configuration of the tractor unit; generated per fleet in production.
#include <cuda_runtime.h>
#include <cstdint>

namespace haul {

enum Lane : unsigned { Fusion, Blackbox, LaneCount };

struct LaneProfile {
  const char* label;
  unsigned flags;
  int priority;
};

struct VehicleConfig {
  LaneProfile lanes[LaneCount] = {
      {"fusion", cudaStreamDefault, -1},
      {"blackbox", cudaStreamNonBlocking, 0},
  };
  uint32_t frames = 12;
  uint32_t recalibrateEvery = 4;  // frames between two thermal drift corrections
};

}  // namespace haul
