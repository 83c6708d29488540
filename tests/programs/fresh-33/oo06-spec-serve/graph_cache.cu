#include "graph_cache.h"
namespace spec {
namespace {
__global__ void propose(const StepParams* p, const int* embedding, int* draft) {
  const int i = threadIdx.x;
  if (i >= kMaxDraft) return;
  const unsigned token = (p->salt * 2654435761u + i * 40503u * p->temperature) % kVocab;
  draft[i] = i < p->draftLen ? embedding[token] : -1;
}

__global__ void verify(const StepParams* p, const int* draft, StepOutcome* outcome) {
  StepOutcome o{0, 0, 17u};
  bool open = true;
  for (int i = 0; i < p->draftLen; ++i) {
    ++o.proposed;
    open = open && draft[i] % 5 != 0;
    if (open) ++o.accepted;
    o.digest = o.digest * 31u + draft[i];
  }
  *outcome = o;
}
}  // namespace

StepParams paramsFor(int draftLen) { return {draftLen, 1 + draftLen % 3, 77u + 13u * draftLen}; }

GraphCache::~GraphCache() {
  for (auto& entry : graphs_) cudaGraphExecDestroy(entry.second);
}

Status GraphCache::enqueue(const StepParams* params) {
  SPEC_RETURN_IF_CUDA(cudaMemcpyAsync(buffers_.params, params, sizeof(StepParams), cudaMemcpyHostToDevice, stream_));
  propose<<<1, 32, 0, stream_>>>(buffers_.params, buffers_.embedding, buffers_.draft);
  verify<<<1, 1, 0, stream_>>>(buffers_.params, buffers_.draft, buffers_.outcome);
  SPEC_RETURN_IF_CUDA(cudaGetLastError());
  SPEC_RETURN_IF_CUDA(cudaMemcpyAsync(buffers_.hostOutcome, buffers_.outcome, sizeof(StepOutcome),
                                      cudaMemcpyDeviceToHost, stream_));
  return {};
}

Status GraphCache::warmup() {
  HostArena::Frame frame(arena_);
  StepParams* params = frame.make<StepParams>();
  *params = paramsFor(1);
  SPEC_RETURN_IF(enqueue(params));
  SPEC_RETURN_IF_CUDA(cudaStreamSynchronize(stream_));
  return {};
}

Status GraphCache::capture(int draftLen) {
  StepParams* params = arena_.make<StepParams>();
  if (!params) return {cudaErrorMemoryAllocation, __LINE__};
  *params = paramsFor(draftLen);

  cudaGraph_t graph = nullptr;
  SPEC_RETURN_IF_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  const Status queued = enqueue(params);
  const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
  SPEC_RETURN_IF(queued);
  SPEC_RETURN_IF_CUDA(ended);
  const cudaError_t made = cudaGraphInstantiate(&graphs_[draftLen], graph, 0);
  cudaGraphDestroy(graph);
  SPEC_RETURN_IF_CUDA(made);
  return {};
}

Status GraphCache::build(int shortest, int longest) {
  for (int n = shortest; n <= longest; ++n) SPEC_RETURN_IF(capture(n));
  return {};
}

Status GraphCache::launch(int draftLen) {
  SPEC_RETURN_IF_CUDA(cudaGraphLaunch(graphs_.at(draftLen), stream_));
  return {};
}

}  // namespace spec
