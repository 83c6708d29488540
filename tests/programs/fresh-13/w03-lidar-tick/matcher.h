#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

inline void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(3);
}

constexpr int kMaxBeams = 512;

struct Pose {
  int x, y;
};

// One per lidar mode. `beat` counts finished ticks for the supervisor.
class IMatcher {
 public:
  virtual ~IMatcher() = default;
  virtual int beams() const = 0;
  virtual void match(const int* scan, Pose* pose, unsigned* beat, cudaStream_t s) = 0;
  virtual Pose expected(const int* scan) const = 0;

  // Run once on an empty scan so that the first tick of the mode is as quick as the rest.
  void prime(const int* scan, Pose* pose, unsigned* scratch, cudaStream_t s) {
    match(scan, pose, scratch, s);
    must(cudaStreamSynchronize(s));
  }
};

std::unique_ptr<IMatcher> make_city_matcher();
std::unique_ptr<IMatcher> make_highway_matcher();
