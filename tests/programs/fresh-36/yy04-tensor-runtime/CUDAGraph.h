#pragma once

#include "macros.h"

namespace tessera {

class CUDAGraph {
 public:
  CUDAGraph() = default;
  CUDAGraph(const CUDAGraph&) = delete;
  CUDAGraph& operator=(const CUDAGraph&) = delete;
  ~CUDAGraph() { reset(); }

  void capture_begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed) {
    stream_ = stream;
    TESSERA_CUDA_CHECK(cudaStreamBeginCapture(stream_, mode));
  }
  void capture_end() {
    cudaGraph_t graph = nullptr;
    TESSERA_CUDA_CHECK(cudaStreamEndCapture(stream_, &graph));
    TESSERA_CUDA_CHECK(cudaGraphInstantiate(&exec_, graph, 0));
    TESSERA_CUDA_CHECK(cudaGraphDestroy(graph));
  }
  void replay() { TESSERA_CUDA_CHECK(cudaGraphLaunch(exec_, stream_)); }
  void reset() {
    if (exec_ == nullptr) return;
    cudaStreamSynchronize(stream_);
    cudaGraphExecDestroy(exec_);
    exec_ = nullptr;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace tessera
