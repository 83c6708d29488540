#pragma once

#include "common.h"

#include <vector>

namespace tinyrt {

// A 1x1 depthwise layer followed by batch normalisation and an optional ReLU.
struct layer_spec {
  std::vector<float> weight;
  std::vector<float> gamma;
  std::vector<float> beta;
  std::vector<float> mean;
  bool relu = false;
};

// Weight-streaming inference session. The device holds the folded parameters of one layer at a
// time; the compiled graph uploads them layer by layer between the kernels.
class session {
 public:
  session(int channels, int pixels);
  ~session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  void add(layer_spec spec);
  void compile();

  // Enqueues one inference in `stream`. `in` and `out` are device pointers.
  void run(const float* in, float* out, cudaStream_t stream);

 private:
  std::size_t block_floats() const { return 2 * static_cast<std::size_t>(channels_); }
  void emit(std::size_t index, cudaStream_t stream);

  int channels_;
  int pixels_;
  std::vector<layer_spec> layers_;
  device_block activation_;
  device_block params_;
  host_block staging_;
  cudaStream_t capture_stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace tinyrt
