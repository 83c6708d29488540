#pragma once
#include "mt_common.h"

namespace fused {

// Records whatever `body(stream)` enqueues and replays it.
class StepGraph {
 public:
  template <typename Body>
  StepGraph(cudaStream_t stream, Body&& body) {
    FUSED_CHECK(
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    body(stream);
    FUSED_CHECK(cudaStreamEndCapture(stream, &graph_));
    FUSED_CHECK(cudaGraphInstantiate(&exec_, graph_, 0));
    FUSED_CHECK(cudaGraphUpload(exec_, stream));
  }

  ~StepGraph() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }

  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  void replay(cudaStream_t stream) {
    FUSED_CHECK(cudaGraphLaunch(exec_, stream));
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace fused
