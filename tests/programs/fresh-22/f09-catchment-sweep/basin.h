#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace basin {

/// Calibration parameters of one run of the runoff model.
struct RunParams {
  float rain = 0.0f;
  float infiltration = 0.0f;
  float storage = 0.0f;
  int hours = 0;
};

inline constexpr int kLanes = 4;
inline constexpr int kCells = 2048;

inline void must(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(code));
  std::fflush(stdout);
  std::_Exit(1);
}

/// Parameters live in constant memory, one entry for each lane.
void set_params(int lane, const RunParams* params);

/// Simulates all cells of the catchment with the parameters of `lane`.
void simulate(int lane, float* discharge, cudaStream_t stream);

float reference_discharge(const RunParams& params, int cell);

}  // namespace basin
