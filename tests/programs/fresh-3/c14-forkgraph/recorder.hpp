#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <stdexcept>
#include <vector>

namespace flow {

inline void require(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

using stage = std::function<void(cudaStream_t)>;

// A fixed schedule: a head, branches that are independent of each other, and a tail. It can be
// issued directly or recorded once and replayed.
class schedule {
 public:
  schedule() { require(cudaEventCreateWithFlags(&edge_, cudaEventDisableTiming)); }
  ~schedule() {
    if (exec_) cudaGraphExecDestroy(exec_);
    for (auto s : side_) cudaStreamDestroy(s);
    cudaEventDestroy(edge_);
  }
  schedule(schedule const&) = delete;
  schedule& operator=(schedule const&) = delete;

  schedule& head(stage s) { return head_ = std::move(s), *this; }
  schedule& tail(stage s) { return tail_ = std::move(s), *this; }
  schedule& branch(stage s) {
    branches_.push_back(std::move(s));
    if (branches_.size() > 1) {
      cudaStream_t side = nullptr;
      require(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
      side_.push_back(side);
    }
    return *this;
  }

  void issue(cudaStream_t stream) {
    head_(stream);
    require(cudaEventRecord(edge_, stream));
    for (auto side : side_) require(cudaStreamWaitEvent(side, edge_, 0));
    for (std::size_t b = 0; b < branches_.size(); ++b) branches_[b](b == 0 ? stream : side_[b - 1]);
    for (auto side : side_) {
      require(cudaEventRecord(edge_, side));
      require(cudaStreamWaitEvent(stream, edge_, 0));
    }
    tail_(stream);
  }

  void record(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    issue(stream);
    require(cudaStreamEndCapture(stream, &graph));
    require(cudaGraphInstantiate(&exec_, graph, 0));
    require(cudaGraphDestroy(graph));
  }

  void replay(cudaStream_t stream) { require(cudaGraphLaunch(exec_, stream)); }

 private:
  stage head_, tail_;
  std::vector<stage> branches_;
  std::vector<cudaStream_t> side_;
  cudaEvent_t edge_;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace flow
