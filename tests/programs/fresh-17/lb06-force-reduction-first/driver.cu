#include "simulator.h"
#include <cmath>
#include <cstdio>
#include <exception>

// f = slope * x + offset, computed at leisure
__global__ void linearForce(const float3* x, float3* f, int n, float slope, float offset, long long cycles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 p = x[i];
  const long long t0 = clock64();
  while (clock64() - t0 < cycles) {}
  __threadfence();
  f[i] = make_float3(slope * p.x + offset, slope * p.y + offset, slope * p.z + offset);
}

struct LinearProvider : mdx::IForceProvider {
  float slope, offset;
  long long cycles;
  LinearProvider(float s, float o, long long c) : slope(s), offset(o), cycles(c) {}
  void calculateForces(const float3* x, float3* f, int n, cudaStream_t stream) override {
    linearForce<<<(n + 127) / 128, 128, 0, stream>>>(x, f, n, slope, offset, cycles);
  }
};

int main() {
  try {
    const int n = 2048;
    LinearProvider nb(0.5f, 1.0f, 1000), lr(-0.25f, 2.0f, 50000000LL);
    mdx::GpuSimulator sim(nb, lr, 0.5f);
    std::vector<float3> x(n);
    std::vector<int> cell(n);
    int wrong = 0;
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < n; ++i) {
        x[i] = make_float3(8.0f + round, 16.0f, 24.0f);
        cell[i] = (i * 5 + round) % n;
      }
      sim.partition(x, cell);
      for (int s = 0; s < 4; ++s) sim.step();
      const std::vector<float3> got = sim.coordinates();
      float w = 8.0f + round;
      for (int s = 0; s < 4; ++s) w += 0.5f * ((0.5f * w + 1.0f) + (-0.25f * w + 2.0f));
      for (int i = 0; i < n; ++i)
        if (!(std::fabs(got[i].x - w) < 1e-2f)) ++wrong;
    }
    if (wrong) {
      std::printf("WRONG %d of %d coordinates miss the long-range forces of their step\n", wrong, 3 * n);
      return 1;
    }
  } catch (const std::exception& e) {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
