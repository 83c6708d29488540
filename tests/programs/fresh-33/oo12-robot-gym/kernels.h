#pragma once
#include <cstdint>
#include <functional>
#include <vector>
#include "gym_base.h"

namespace gym {

constexpr int kJoints = 128;

// Page-locked words that the simulator and the trainer both look at.
struct Console {
  uint32_t finishedStep;
  uint32_t quit;
};

// Device memory of one simulated robot.
struct World {
  uint32_t* actionStep;  // last step for which actions exist
  int* actions;          // kJoints
  int* state;            // kJoints
  int* trace;            // steps * kJoints
  Console* console;      // device view
};

void launchPhysics(const World& world, int steps, cudaStream_t stream);
void launchPolicy(const World& world, uint32_t step, unsigned micros, cudaStream_t stream);

// Kernels of the gym by name, each with a launch that does no work.
struct KernelEntry {
  const char* name;
  std::function<void(const World&, cudaStream_t)> idleLaunch;
};
const std::vector<KernelEntry>& kernelCatalog();

// The same arithmetic on both sides.
__host__ __device__ inline int actionOf(int state, uint32_t step, int joint) {
  return int((state * 5u + step * 17u + joint * 3u) & 0xffffu);
}
__host__ __device__ inline int integrate(int state, int action) { return int((state * 3u + action) & 0xfffffu); }

}  // namespace gym
