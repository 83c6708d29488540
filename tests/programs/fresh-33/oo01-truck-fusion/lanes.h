#pragma once
#include "status.h"
#include "vehicle_config.h"

namespace haul {

// Owns one stream per lane of the vehicle configuration.
class LaneRegistry {
 public:
  ~LaneRegistry() {
    for (cudaStream_t s : streams_)
      if (s) cudaStreamDestroy(s);
  }
  Status open(const VehicleConfig& config) {
    for (unsigned i = 0; i < LaneCount; ++i)
      HAUL_CUDA(cudaStreamCreateWithPriority(&streams_[i], config.lanes[i].flags, config.lanes[i].priority));
    return {};
  }
  cudaStream_t at(Lane lane) const { return streams_[lane]; }

 private:
  cudaStream_t streams_[LaneCount] = {};
};

}  // namespace haul
