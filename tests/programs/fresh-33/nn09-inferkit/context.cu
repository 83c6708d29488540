#include "engine.hpp"
#include <cstring>
namespace ik {
namespace {
class CaptureScope {
 public:
  explicit CaptureScope(cudaStream_t s) : stream_(s) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
  }
  ~CaptureScope() {
    if (graph_ == nullptr) cudaStreamEndCapture(stream_, &graph_);
    if (graph_) cudaGraphDestroy(graph_);
  }
  cudaGraphExec_t finish() {
    check(cudaStreamEndCapture(stream_, &graph_));
    cudaGraphExec_t exec = nullptr;
    check(cudaGraphInstantiate(&exec, graph_, 0));
    return exec;
  }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
};
}  // namespace

ExecutionContext::ExecutionContext(const Engine& engine) : engine_(engine) {
  const std::size_t bytes = sizeof(float) * engine.width * engine.profile.max_batch;
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  check(cudaMallocHost(&pinned_, bytes));
  std::memset(pinned_, 0, bytes);
  for (float*& act : act_) check(cudaMalloc(&act, bytes));
  arena_.reserve(engine.workspace(engine.profile.opt_batch));
  enqueue(engine.profile.opt_batch);
  check(cudaStreamSynchronize(stream_));
}

ExecutionContext::~ExecutionContext() {
  cudaStreamSynchronize(stream_);
  for (auto& entry : graphs_) cudaGraphExecDestroy(entry.second);
  for (float* act : act_) cudaFree(act);
  cudaFreeHost(pinned_);
  cudaStreamDestroy(stream_);
}

void ExecutionContext::enqueue(int batch) {
  const std::size_t bytes = sizeof(float) * engine_.width * batch;
  arena_.rewind();
  check(cudaMemcpyAsync(act_[0], pinned_, bytes, cudaMemcpyHostToDevice, stream_));
  int at = 0;
  for (const auto& layer : engine_.layers) {
    layer->enqueue(arena_, act_[at], act_[1 - at], batch, stream_);
    at = 1 - at;
  }
  check(cudaMemcpyAsync(pinned_, act_[at], bytes, cudaMemcpyDeviceToHost, stream_));
}

cudaGraphExec_t ExecutionContext::capture(int batch) {
  arena_.reserve(engine_.workspace(batch));
  CaptureScope scope(stream_);
  enqueue(batch);
  return scope.finish();
}

void ExecutionContext::infer(const float* in, float* out, int batch) {
  if (batch < 1 || batch > engine_.profile.max_batch) throw RuntimeError(cudaErrorInvalidValue);
  auto it = graphs_.find(batch);
  if (it == graphs_.end()) it = graphs_.emplace(batch, capture(batch)).first;
  const std::size_t bytes = sizeof(float) * engine_.width * batch;
  std::memcpy(pinned_, in, bytes);
  check(cudaGraphLaunch(it->second, stream_));
  check(cudaStreamSynchronize(stream_));
  std::memcpy(out, pinned_, bytes);
}
}  // namespace ik
