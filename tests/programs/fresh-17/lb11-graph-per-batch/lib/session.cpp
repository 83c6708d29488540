#include "session.h"
#include <cstring>

namespace inferrt {

CudaGraphManager::~CudaGraphManager() {
  for (auto& g : graphs_) cudaGraphExecDestroy(g.second.exec);
}

Status CudaGraphManager::CaptureBegin() {
  INFER_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  return Status::OK();
}

Status CudaGraphManager::CaptureEnd(int key, int out_batch) {
  cudaGraph_t graph = nullptr;
  INFER_CUDA(cudaStreamEndCapture(stream_, &graph));
  Entry e{nullptr, out_batch};
  const cudaError_t err = cudaGraphInstantiate(&e.exec, graph, 0);
  cudaGraphDestroy(graph);
  INFER_CUDA(err);
  graphs_[key] = e;
  return Status::OK();
}

void CudaGraphManager::CaptureDiscard() {
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(stream_, &graph) != cudaSuccess) cudaGetLastError();
  if (graph != nullptr) cudaGraphDestroy(graph);
}

Status CudaGraphManager::Replay(int key) {
  INFER_CUDA(cudaGraphLaunch(graphs_.at(key).exec, stream_));
  return Status::OK();
}

Status Session::Create(const SessionOptions& opts, std::unique_ptr<Session>* out) {
  std::unique_ptr<Session> s(new Session(opts));
  INFER_RETURN_IF_ERROR(s->Initialize());
  *out = std::move(s);
  return Status::OK();
}

Status Session::Initialize() {
  const size_t bytes = sizeof(float) * opts_.max_batch * opts_.width;
  INFER_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  for (float*& b : buffers_) INFER_CUDA(cudaMalloc(&b, bytes));
  INFER_CUDA(cudaMallocHost(&pinned_, bytes));
  if (opts_.enable_cuda_graph) graphs_ = std::make_unique<CudaGraphManager>(stream_);
  return Status::OK();
}

Session::~Session() {
  if (stream_) cudaStreamSynchronize(stream_);
  graphs_.reset();
  cudaFreeHost(pinned_);
  for (float* b : buffers_) cudaFree(b);
  if (stream_) cudaStreamDestroy(stream_);
}

Status Session::ExecuteNodes(int batch, int* out_batch) {
  int cur = 0;
  for (const auto& node : nodes_) {
    OpContext ctx{buffers_[cur], buffers_[1 - cur], batch, opts_.width, batch, stream_};
    INFER_RETURN_IF_ERROR(node->Compute(ctx));
    batch = ctx.out_batch;
    cur = 1 - cur;
  }
  *out_batch = batch;
  return Status::OK();
}

Status Session::Run(const std::vector<float>& input, int batch, std::vector<float>* output) {
  if (batch <= 0 || batch > opts_.max_batch || input.size() != size_t(batch) * opts_.width)
    return Status(StatusCode::kInvalidArgument, "unexpected input shape");

  std::lock_guard<std::mutex> lock(run_mutex_);
  int out_batch = 0;
  if (graphs_ && !graphs_->IsCaptured(batch)) {
    INFER_RETURN_IF_ERROR(graphs_->CaptureBegin());
    INFER_RETURN_IF_ERROR(ExecuteNodes(batch, &out_batch));
    INFER_RETURN_IF_ERROR(graphs_->CaptureEnd(batch, out_batch));
  }

  std::memcpy(pinned_, input.data(), input.size() * sizeof(float));
  INFER_CUDA(cudaMemcpyAsync(buffers_[0], pinned_, input.size() * sizeof(float), cudaMemcpyHostToDevice, stream_));
  if (graphs_) {
    out_batch = graphs_->OutBatch(batch);
    INFER_RETURN_IF_ERROR(graphs_->Replay(batch));
  } else {
    const Status st = ExecuteNodes(batch, &out_batch);
    if (!st.IsOK()) {
      cudaStreamSynchronize(stream_);
      return st;
    }
  }

  output->resize(size_t(out_batch) * opts_.width);
  INFER_CUDA(cudaMemcpyAsync(pinned_, FinalBuffer(), output->size() * sizeof(float), cudaMemcpyDeviceToHost, stream_));
  INFER_CUDA(cudaStreamSynchronize(stream_));
  std::memcpy(output->data(), pinned_, output->size() * sizeof(float));
  return Status::OK();
}

}  // namespace inferrt
