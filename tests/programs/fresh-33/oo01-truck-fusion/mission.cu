// Mission runner of the highway pilot: feeds lidar sweeps to the fusion loop,
// follows the thermal drift of the sensor mast and checks the black box.
#include <cstdio>
#include <vector>
#include "fusion_worker.h"

namespace haul {

class Mission {
 public:
  explicit Mission(VehicleConfig config) : config_(config), worker_(lanes_) {}

  Status drive(int& mismatches) {
    HAUL_TRY(lanes_.open(config_));
    HAUL_TRY(worker_.init());
    Extrinsics current{1.f, 0.f};
    HAUL_TRY(calibration_.init(current));
    HAUL_TRY(worker_.start(calibration_));

    std::vector<float> expected;
    for (uint32_t seq = 1; seq <= config_.frames; ++seq) {
      if (seq % config_.recalibrateEvery == 0) {
        current.gain += 1.f;
        current.bias += 2.f;
        HAUL_TRY(calibration_.apply(current));
      }
      expected.push_back(sweep(seq, current));
      worker_.ring(seq);
      if (worker_.collect(seq) != expected.back()) ++mismatches;
    }
    HAUL_TRY(worker_.park());

    std::vector<float> logged(config_.frames);
    HAUL_TRY(worker_.history(logged.data(), config_.frames));
    for (uint32_t i = 0; i < config_.frames; ++i)
      if (logged[i] != expected[i]) ++mismatches;
    return {};
  }

 private:
  float sweep(uint32_t seq, const Extrinsics& ex) {
    float* p = worker_.points();
    float total = 0.f;
    for (uint32_t i = 0; i < kPoints; ++i) {
      p[i] = float((i * 7 + seq) % 21);
      total += ex.gain * p[i] + ex.bias;
    }
    return total;
  }

  VehicleConfig config_;
  LaneRegistry lanes_;
  CalibrationStore calibration_;
  FusionWorker worker_;
};

}  // namespace haul

int main() {
  int mismatches = 0;
  haul::Mission mission{haul::VehicleConfig{}};
  haul::Status s = mission.drive(mismatches);
  if (!s.ok()) return HAUL_LOG("failed: %s", s.where), std::printf("ERROR %s\n", cudaGetErrorName(s.code)), 1;
  mismatches ? std::printf("WRONG %d\n", mismatches) : std::printf("DONE\n");
  return mismatches ? 1 : 0;
}
