#pragma once

#include "plait.h"

#include <vector>

namespace plait {

struct workspace {
  void* ptr = nullptr;
  size_t bytes = 0;
};

struct lane {
  cudaStream_t stream = nullptr;
  workspace ws;
  float* d_total = nullptr;
};

inline size_t envelope_bytes(size_t samples, unsigned window) {
  return ((samples + window - 1) / window) * sizeof(float);
}

cudaError_t reserve(workspace& ws, size_t bytes);
void release(workspace& ws);

cudaError_t launch_envelope(const float* samples, size_t n, const plait_options& opt, float* envelope, cudaStream_t s);
cudaError_t launch_total(const float* envelope, size_t windows, float* total, cudaStream_t s);

}  // namespace plait

struct plait_ctx {
  plait_options options;
  std::vector<plait::lane> lanes;
  cudaError_t last = cudaSuccess;
};
