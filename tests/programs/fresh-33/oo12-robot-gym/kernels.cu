#include "kernels.h"

namespace gym {
namespace {

// Steps the robot whenever a new set of actions is there; one block per robot.
__global__ void physics(World w, uint32_t steps) {
  __shared__ bool leave;
  for (uint32_t step = 1; step <= steps; ++step) {
    if (threadIdx.x == 0) {
      volatile uint32_t* ready = w.actionStep;
      volatile Console* console = w.console;
      leave = false;
      while (*ready < step && !leave) {
        __nanosleep(500);
        leave = console->quit != 0;
      }
      __threadfence();
    }
    __syncthreads();
    if (leave) return;
    const int j = threadIdx.x;
    const int next = integrate(w.state[j], __ldcg(w.actions + j));
    w.state[j] = next;
    w.trace[(step - 1) * kJoints + j] = next;
    __threadfence_system();
    __syncthreads();
    if (j == 0) {
      volatile Console* console = w.console;
      console->finishedStep = step;
    }
  }
}

__global__ void policy(World w, uint32_t step, unsigned micros) {
  if (step == 0) return;
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < micros * 1000ull);
  const int j = threadIdx.x;
  w.actions[j] = actionOf(__ldcg(w.state + j), step, j);
  __threadfence();
  __syncthreads();
  if (j == 0) {
    volatile uint32_t* ready = w.actionStep;
    *ready = step;
  }
}

}  // namespace

void launchPhysics(const World& world, int steps, cudaStream_t stream) {
  physics<<<1, kJoints, 0, stream>>>(world, uint32_t(steps));
  GYM_CHECK(cudaGetLastError());
}

void launchPolicy(const World& world, uint32_t step, unsigned micros, cudaStream_t stream) {
  policy<<<1, kJoints, 0, stream>>>(world, step, micros);
  GYM_CHECK(cudaGetLastError());
}

const std::vector<KernelEntry>& kernelCatalog() {
  static const std::vector<KernelEntry> catalog = {
      {"physics", [](const World& w, cudaStream_t s) { launchPhysics(w, 0, s); }},
      {"policy", [](const World& w, cudaStream_t s) { launchPolicy(w, 0, 0, s); }},
  };
  return catalog;
}

}  // namespace gym
