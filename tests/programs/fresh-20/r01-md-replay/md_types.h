#pragma once
// Shared types of the replayed molecular dynamics driver.
#include <cuda_runtime.h>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace md {
class DeviceError : public std::runtime_error {
 public:
  DeviceError(cudaError_t code, const char* expr, const char* file, int line)
      : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + expr),
        code_(code) {}
  cudaError_t code() const noexcept { return code_; }
 private:
  cudaError_t code_;
};

#define MD_CUDA(expr)                                                        \
  do {                                                                       \
    cudaError_t md_status_ = (expr);                                         \
    if (md_status_ != cudaSuccess)                                           \
      throw ::md::DeviceError(md_status_, #expr, __FILE__, __LINE__);        \
  } while (0)

/// Scalars of one time step, read by the integrator from device memory.
struct StepParams {
  float dt;
  float friction;
  float drift;
  int32_t step;
};

struct SystemConfig {
  int particles = 4096;
  float stiffness = 1.5f;
  int64_t force_cost_ns = 25'000'000;  ///< modelled cost of the neighbour search
};

struct DriverConfig {
  int steps = 12;
  int slots = 2;  ///< how many steps the host may run ahead
  float base_dt = 0.01f;
};

/// Device arrays of the particle system.
struct ParticleView {
  float* x;
  float* v;
  float* f;
  int n;
};
}  // namespace md
