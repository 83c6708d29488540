#pragma once

#include "support.h"

#include <map>
#include <memory>
#include <vector>

namespace kinetics {

struct StageCoeff {
  float carry;   // weight of the state at the start of the step
  float blend;   // weight of the state of the previous stage
  float dt;      // step, scaled for this stage
};

/// Explicit strong-stability-preserving Runge-Kutta for y' = -k y in many cells. A step
/// is recorded once for each step width and then replayed.
class Integrator {
 public:
  Integrator(int cells, int stages, cudaStream_t stream);
  ~Integrator();
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  void set_state(const float* device_state);
  void set_rates(const std::vector<float>& rates);
  void advance(int steps, float dt);
  const float* state() const noexcept { return y_; }

 private:
  struct Plan {
    explicit Plan(std::size_t n) : rows(n) {}
    PinnedArray<StageCoeff> rows;
    GraphExec exec;
  };

  std::vector<StageCoeff> tableau(float dt) const;
  std::unique_ptr<Plan> make_plan(float dt);
  void enqueue_stages(cudaStream_t stream);

  int cells_;
  int stages_;
  cudaStream_t stream_;
  StagingRing ring_;
  float* y_ = nullptr;
  float* y0_ = nullptr;
  float* rates_ = nullptr;
  StageCoeff* coeff_ = nullptr;
  std::map<float, std::unique_ptr<Plan>> plans_;
};

}  // namespace kinetics
