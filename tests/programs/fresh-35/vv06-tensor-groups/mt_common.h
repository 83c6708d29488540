#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <vector>

namespace fused {

#define FUSED_CHECK(call)                                        \
  do {                                                           \
    cudaError_t fused_err = (call);                              \
    if (fused_err != cudaSuccess)                                \
      throw std::runtime_error(cudaGetErrorName(fused_err));     \
  } while (0)

// One parameter of the model with what the update needs.
struct ParamRef {
  float* param;
  float* momentum;
  const float* grad;
  int numel;
};

constexpr int kMaxTensors = 6;
constexpr int kMaxBlocks = 48;
constexpr int kChunk = 4096;

// What one launch works on: up to kMaxTensors tensors, cut into chunks.
struct LaunchTable {
  ParamRef tensor[kMaxTensors];
  unsigned char block_to_tensor[kMaxBlocks];
  int block_to_chunk[kMaxBlocks];
};

inline bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  FUSED_CHECK(cudaStreamIsCapturing(stream, &status));
  return status == cudaStreamCaptureStatusActive;
}

}  // namespace fused
