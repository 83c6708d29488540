// Reinforcement learning gym for a manipulator: the simulator stays on the
// device for the whole episode, the policy runs once per control step.
#include <atomic>
#include <thread>

#include "recorder.h"

namespace gym {

struct EpisodeConfig {
  int steps = 40;
  int checkpointEvery = 8;
  unsigned policyMicros = 2000;
};

class Trainer {
 public:
  explicit Trainer(const EpisodeConfig& config) : config_(config), recorder_(config.steps) {
    GYM_CHECK(cudaStreamCreateWithFlags(&physics_, cudaStreamNonBlocking));
    GYM_CHECK(cudaStreamCreateWithFlags(&policy_, cudaStreamNonBlocking));
    GYM_CHECK(cudaEventCreateWithFlags(&decided_, cudaEventDisableTiming));
    GYM_CHECK(cudaHostAlloc(&console_, sizeof(Console), cudaHostAllocMapped));
    *console_ = Console{0, 0};
    GYM_CHECK(cudaHostGetDevicePointer(&world_.console, console_, 0));
    zeroed(world_.actionStep, 1);
    zeroed(world_.actions, kJoints);
    zeroed(world_.state, kJoints);
    zeroed(world_.trace, size_t(config.steps) * kJoints);
    GYM_CHECK(cudaDeviceSynchronize());
  }

  ~Trainer() {
    cudaStreamDestroy(physics_);
    cudaStreamDestroy(policy_);
    cudaEventDestroy(decided_);
    cudaFree(world_.actionStep);
    cudaFree(world_.actions);
    cudaFree(world_.state);
    cudaFree(world_.trace);
    cudaFreeHost(console_);
  }

  void prepare() {
    for (const KernelEntry& k : kernelCatalog()) {
      k.idleLaunch(world_, policy_);
      std::fprintf(stderr, "[gym] %s ready\n", k.name);
    }
    GYM_CHECK(cudaStreamSynchronize(policy_));
    recorder_.fetch(world_, 0, 1);
    recorder_.awaitAll();
  }

  int episode() {
    launchPhysics(world_, config_.steps, physics_);
    volatile Console* console = console_;
    for (int step = 1; step <= config_.steps; ++step) {
      launchPolicy(world_, uint32_t(step), config_.policyMicros, policy_);
      GYM_CHECK(cudaEventRecord(decided_, policy_));
      GYM_CHECK(cudaEventSynchronize(decided_));
      while (console->finishedStep < uint32_t(step)) std::this_thread::yield();
      std::atomic_thread_fence(std::memory_order_acquire);
      if (step % config_.checkpointEvery == 0) {
        recorder_.fetch(world_, step - config_.checkpointEvery, config_.checkpointEvery);
        recorder_.awaitAll();
      }
    }
    console->quit = 1;
    GYM_CHECK(cudaStreamSynchronize(physics_));
    return compare();
  }

 private:
  template <class T>
  static void zeroed(T*& p, size_t count) {
    GYM_CHECK(cudaMalloc(&p, count * sizeof(T)));
    GYM_CHECK(cudaMemset(p, 0, count * sizeof(T)));
  }

  int compare() const {
    int wrong = 0;
    std::vector<int> state(kJoints, 0);
    for (int step = 1; step <= config_.steps; ++step)
      for (int j = 0; j < kJoints; ++j) {
        state[j] = integrate(state[j], actionOf(state[j], uint32_t(step), j));
        wrong += recorder_.row(step - 1)[j] != state[j];
      }
    return wrong;
  }

  EpisodeConfig config_;
  Recorder recorder_;
  cudaStream_t physics_ = nullptr, policy_ = nullptr;
  cudaEvent_t decided_ = nullptr;
  Console* console_ = nullptr;
  World world_{};
};

}  // namespace gym

int main() {
  int wrong = 0;
  {
    gym::Trainer trainer{gym::EpisodeConfig{}};
    trainer.prepare();
    wrong = trainer.episode();
  }
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else
    std::printf("DONE\n");
  return wrong ? 1 : 0;
}
