#include "step_graph.h"

namespace {

cudaGraphNode_t newest_node(cudaStream_t s) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* deps = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  size_t count = 0;
  SIM(cudaStreamGetCaptureInfo(s, &status, &id, &graph, &deps, &edges, &count));
  if (status != cudaStreamCaptureStatusActive || count != 1) throw SimError("no node");
  return deps[0];
}

}  // namespace

StepGraph::StepGraph(const Lattice& lattice, long long ns) : lattice_(lattice), ns_(ns) {
  SIM(cudaStreamCreateWithFlags(&recorder_, cudaStreamNonBlocking));
  SIM(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
  SIM(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  SIM(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
  SIM(cudaEventCreateWithFlags(&launched_, cudaEventDisableTiming));
}

StepGraph::~StepGraph() {
  drop();
  cudaEventDestroy(launched_);
  cudaEventDestroy(join_);
  cudaEventDestroy(fork_);
  cudaStreamDestroy(side_);
  cudaStreamDestroy(recorder_);
}

void StepGraph::drop() {
  if (!exec_) return;
  cudaEventSynchronize(launched_);
  cudaGraphExecDestroy(exec_);
  cudaGraphDestroy(graph_);
  exec_ = nullptr;
  graph_ = nullptr;
  nodes_ = FlowNodes{};
}

void StepGraph::emit(cudaStream_t s, unsigned k, FlowNodes* nodes) {
  SIM(cudaEventRecord(fork_, s));
  SIM(cudaStreamWaitEvent(side_, fork_, 0));
  flow_y<<<kBlocks, kThreads, 0, side_>>>(lattice_, k, ns_);
  SIM(cudaGetLastError());
  if (nodes) nodes->y.push_back(newest_node(side_));
  flow_x<<<kBlocks, kThreads, 0, s>>>(lattice_, k, ns_);
  SIM(cudaGetLastError());
  if (nodes) nodes->x.push_back(newest_node(s));
  SIM(cudaEventRecord(join_, side_));
  SIM(cudaStreamWaitEvent(s, join_, 0));
  level<<<kBlocks, kThreads, 0, s>>>(lattice_);
  SIM(cudaGetLastError());
}

void StepGraph::build(int steps, unsigned k) {
  FlowNodes nodes;
  cudaGraph_t graph = nullptr;
  SIM(cudaStreamBeginCapture(recorder_, cudaStreamCaptureModeThreadLocal));
  try {
    for (int i = 0; i < steps; ++i) emit(recorder_, k, &nodes);
  } catch (...) {
    cudaStreamEndCapture(recorder_, &graph);
    if (graph) cudaGraphDestroy(graph);
    throw;
  }
  SIM(cudaStreamEndCapture(recorder_, &graph));
  cudaGraphExec_t exec = nullptr;
  const cudaError_t made = cudaGraphInstantiate(&exec, graph, 0);
  if (made != cudaSuccess) cudaGraphDestroy(graph);
  SIM(made);

  drop();
  graph_ = graph;
  exec_ = exec;
  nodes_ = std::move(nodes);
  ++rebuilds_;
}

void StepGraph::retune(unsigned k) {
  Lattice lattice = lattice_;
  long long ns = ns_;
  void* args[] = {&lattice, &k, &ns};
  cudaKernelNodeParams p = {};
  p.gridDim = dim3(kBlocks);
  p.blockDim = dim3(kThreads);
  p.kernelParams = args;
  p.func = reinterpret_cast<void*>(flow_x);
  for (cudaGraphNode_t n : nodes_.x) SIM(cudaGraphExecKernelNodeSetParams(exec_, n, &p));
  p.func = reinterpret_cast<void*>(flow_y);
  for (cudaGraphNode_t n : nodes_.y) SIM(cudaGraphExecKernelNodeSetParams(exec_, n, &p));
  ++retunes_;
}

void StepGraph::configure(int steps, unsigned k) {
  if (!exec_ || steps != steps_)
    build(steps, k);
  else if (k != k_)
    retune(k);
  steps_ = steps;
  k_ = k;
}

void StepGraph::launch(cudaStream_t s) {
  SIM(cudaGraphLaunch(exec_, s));
  SIM(cudaEventRecord(launched_, s));
}
