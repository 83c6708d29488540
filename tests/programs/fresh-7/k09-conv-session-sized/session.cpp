#include "session.h"

#include <algorithm>

namespace conv {

Session::Session(const SessionOptions& options) : options_(options), workspace_(options.workspace_granularity) {
  for (int seed : {1, 2}) layers_.emplace_back(&workspace_, seed);
  const size_t bytes = sizeof(int) * kPlane * options_.buckets.back();
  CONV_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  CONV_CHECK(cudaMalloc(&ping_, bytes));
  CONV_CHECK(cudaMalloc(&pong_, bytes));
  CONV_CHECK(cudaMallocHost(&staging_, bytes));
  CONV_CHECK(cudaMemset(ping_, 0, bytes));
  CONV_CHECK(cudaDeviceSynchronize());
  WarmUp(options_.buckets.back());
}

Session::~Session() {
  for (auto& entry : graphs_) cudaGraphExecDestroy(entry.second);
  cudaFreeHost(staging_);
  cudaFree(pong_);
  cudaFree(ping_);
  cudaStreamDestroy(stream_);
}

void Session::Enqueue(int batch) {
  layers_[0].Enqueue(ping_, pong_, batch, stream_);
  layers_[1].Enqueue(pong_, ping_, batch, stream_);
}

void Session::WarmUp(int batch) {
  Enqueue(batch);
  CONV_CHECK(cudaStreamSynchronize(stream_));
}

cudaGraphExec_t Session::GraphFor(int bucket) {
  const auto found = graphs_.find(bucket);
  if (found != graphs_.end()) return found->second;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CONV_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
  Enqueue(bucket);
  CONV_CHECK(cudaStreamEndCapture(stream_, &graph));
  CONV_CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CONV_CHECK(cudaGraphDestroy(graph));
  graphs_.emplace(bucket, exec);
  return exec;
}

std::vector<int> Session::Run(const std::vector<int>& planes) {
  const int batch = static_cast<int>(planes.size()) / kPlane;
  const int bucket = *std::lower_bound(options_.buckets.begin(), options_.buckets.end(), batch);
  cudaGraphExec_t exec = GraphFor(bucket);
  const size_t bytes = planes.size() * sizeof(int);
  std::copy(planes.begin(), planes.end(), staging_);
  CONV_CHECK(cudaMemcpyAsync(ping_, staging_, bytes, cudaMemcpyHostToDevice, stream_));
  CONV_CHECK(cudaGraphLaunch(exec, stream_));
  CONV_CHECK(cudaMemcpyAsync(staging_, ping_, bytes, cudaMemcpyDeviceToHost, stream_));
  CONV_CHECK(cudaStreamSynchronize(stream_));
  return std::vector<int>(staging_, staging_ + planes.size());
}

std::vector<int> Session::Reference(const std::vector<int>& planes) const {
  const int batch = static_cast<int>(planes.size()) / kPlane;
  std::vector<int> a = planes, b;
  layers_[0].Reference(a, &b, batch);
  layers_[1].Reference(b, &a, batch);
  return a;
}

}  // namespace conv
