#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

// What a figure stands for; printed with every figure.
enum class Meaning {
  ColdStart,       // one-off costs included, nothing was warmed up
  HostSubmission,  // time the host spends in the call, the GPU may still be busy
  RoundTrip,       // host to GPU and back
  SteadyState,     // GPU time per round after warm-up
};

struct Figure {
  std::string probe;
  Meaning meaning;
  double micros;
};

struct Probe {
  std::string name;
  Meaning meaning;
  std::function<double()> measure;  // microseconds
};

class Device {
 public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  double firstLaunch();
  double launchCall(int launches);
  double graphLaunchCall(int launches);
  double allocateAndFree(int bytes);
  double emptyWait(int rounds);
  double wakeUp();
  double steadyByEvents(int micros, int rounds);
  double steadyByClock(int micros, int rounds);

  int ticksSent() const { return ticksSent_; }
  int ticksCounted();

 private:
  cudaStream_t stream_ = nullptr;
  int* ticks_ = nullptr;
  unsigned* flags_ = nullptr;  // mapped: [0] kernel is running, [1] kernel may end
  unsigned* flagsOnDevice_ = nullptr;
  int ticksSent_ = 0;
};

void require(cudaError_t status);
const char* describe(Meaning meaning);
