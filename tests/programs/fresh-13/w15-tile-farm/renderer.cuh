#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#define RT_CHECK(x)                                      \
  do {                                                   \
    if (cudaError_t rt_ = (x); rt_ != cudaSuccess) {     \
      std::printf("ERROR %s\n", cudaGetErrorName(rt_));  \
      std::fflush(stdout);                               \
      std::_Exit(1);                                     \
    }                                                    \
  } while (0)

// First and last moment at which the device was busy with tiles.
struct Activity {
  unsigned long long first = ~0ull;
  unsigned long long last = 0;
  double ms() const { return double(last - first) * 1e-6; }
};

class Renderer {
 public:
  static constexpr int kLanes = 4;
  static constexpr int kTiles = 32;
  static constexpr int kTilePixels = 4096;

  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;

  // Adds one sample per pixel to a tile.
  void tile(int index, int sample);
  void reset_activity();
  Activity activity() const;
  int verify(int samples) const;

 private:
  std::array<cudaStream_t, kLanes> lanes_{};
  int* film_ = nullptr;
  Activity* activity_ = nullptr;
};
