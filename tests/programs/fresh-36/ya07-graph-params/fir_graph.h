#pragma once

#include <cuda_runtime.h>

#include <vector>

enum class Window { Box, Triangle };

struct FirSpec {
  Window window;
  int radius;
  int samples;
};

std::vector<float> makeTaps(Window window, int radius);

// A FIR filter over one block of samples, recorded once and replayed for every block.
class FirGraph {
 public:
  FirGraph(const FirSpec& spec, cudaStream_t stream);
  ~FirGraph();
  FirGraph(const FirGraph&) = delete;
  FirGraph& operator=(const FirGraph&) = delete;

  float* input() { return hostIn_; }
  const float* output() const { return hostOut_; }
  void replay();
  int nodes() const { return nodes_; }

 private:
  void record();

  FirSpec spec_;
  cudaStream_t stream_;
  float* hostIn_ = nullptr;
  float* hostOut_ = nullptr;
  float* in_ = nullptr;
  float* out_ = nullptr;
  float* taps_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  int nodes_ = 0;
};
