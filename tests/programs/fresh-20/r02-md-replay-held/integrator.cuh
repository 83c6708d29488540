#pragma once
#include "md_types.h"

namespace md {
__device__ inline void spend(int64_t ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < static_cast<unsigned long long>(ns));
}

__global__ void harmonic_forces(ParticleView p, float stiffness, int64_t cost_ns) {
  spend(cost_ns);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += gridDim.x * blockDim.x)
    p.f[i] = -stiffness * p.x[i];
}

__global__ void langevin_update(ParticleView p, const StepParams* params) {
  const float dt = params->dt;
  const float friction = params->friction;
  const float drift = params->drift;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += gridDim.x * blockDim.x) {
    const float v = p.v[i] + dt * (p.f[i] - friction * p.v[i] + drift);
    p.v[i] = v;
    p.x[i] += dt * v;
  }
}

/// A scheme that knows how to put one time step into a stream.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual void enqueue(const ParticleView& view, const StepParams* host, StepParams* device,
                       cudaStream_t stream) const = 0;
};

class LangevinIntegrator final : public Integrator {
 public:
  explicit LangevinIntegrator(const SystemConfig& config) : config_(config) {}

  void enqueue(const ParticleView& view, const StepParams* host, StepParams* device,
               cudaStream_t stream) const override {
    const int threads = 128;
    const int blocks = (view.n + threads - 1) / threads;
    harmonic_forces<<<blocks, threads, 0, stream>>>(view, config_.stiffness,
                                                    config_.force_cost_ns);
    MD_CUDA(cudaGetLastError());
    MD_CUDA(cudaMemcpyAsync(device, host, sizeof(StepParams), cudaMemcpyHostToDevice, stream));
    langevin_update<<<blocks, threads, 0, stream>>>(view, device);
    MD_CUDA(cudaGetLastError());
  }
 private:
  SystemConfig config_;
};
}  // namespace md
