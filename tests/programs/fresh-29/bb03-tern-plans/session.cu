#include "tern.h"

#include "kernels.cuh"

#include <algorithm>
#include <cstring>

namespace tern {

namespace {
constexpr int kThreads = 128;
constexpr std::size_t kStagingCount = 1u << 16;

int blocks_for(int n) { return std::min(256, (n + kThreads - 1) / kThreads); }
}  // namespace

void Frame::set(const std::string& x, int cols, float value) {
  const int n = rows_ * cols;
  set_kernel<<<blocks_for(n), kThreads, 0, stream_>>>(session_.device_ptr(x), n, value);
  check(cudaGetLastError());
}

void Frame::scale_bias_relu(const std::string& x, const std::string& scale, const std::string& bias, int cols) {
  scale_bias_relu_kernel<<<blocks_for(rows_ * cols), kThreads, 0, stream_>>>(
      session_.device_ptr(x), session_.device_ptr(scale), session_.device_ptr(bias), rows_, cols);
  check(cudaGetLastError());
}

Session::Session() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  staging(kStagingCount);
}

Session::~Session() {
  cudaStreamSynchronize(stream_);
  for (auto& kv : plans_)
    if (kv.second.exec) cudaGraphExecDestroy(kv.second.exec);
  for (auto& kv : tensors_) cudaFree(kv.second.data);
  cudaFreeHost(staging_);
  cudaStreamDestroy(stream_);
}

float* Session::staging(std::size_t count) {
  if (count > staging_count_) {
    if (staging_) check(cudaFreeHost(staging_));
    staging_ = nullptr;
    check(cudaMallocHost(reinterpret_cast<void**>(&staging_), count * sizeof(float)));
    staging_count_ = count;
  }
  return staging_;
}

float* Session::device_ptr(const std::string& name) const {
  auto it = tensors_.find(name);
  if (it == tensors_.end()) throw std::invalid_argument("no such tensor: " + name);
  return it->second.data;
}

void Session::load(const std::string& name, const std::vector<float>& values) {
  Tensor& t = tensors_[name];
  if (t.count == 0) {
    check(cudaMalloc(reinterpret_cast<void**>(&t.data), values.size() * sizeof(float)));
    t.count = values.size();
  } else if (t.count != values.size()) {
    throw std::invalid_argument("shape of " + name + " cannot change");
  }
  float* host = staging(values.size());
  std::memcpy(host, values.data(), values.size() * sizeof(float));
  check(cudaMemcpyAsync(t.data, host, values.size() * sizeof(float), cudaMemcpyHostToDevice, stream_));
  check(cudaStreamSynchronize(stream_));
}

std::vector<float> Session::fetch(const std::string& name) {
  const Tensor& t = tensors_.at(name);
  float* host = staging(t.count);
  check(cudaMemcpyAsync(host, t.data, t.count * sizeof(float), cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  return std::vector<float>(host, host + t.count);
}

cudaGraphExec_t Session::record(int rows, const Forward& forward) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
  try {
    Frame frame(*this, stream_, rows);
    forward(frame);
  } catch (...) {
    cudaStreamEndCapture(stream_, &graph);
    if (graph) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream_, &graph));
  cudaGraphExec_t exec = nullptr;
  const cudaError_t built = cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  check(built);
  return exec;
}

void Session::run(const std::string& plan, int rows, const Forward& forward) {
  Plan& p = plans_[{plan, rows}];
  if (p.uses++ == 0) {
    Frame frame(*this, stream_, rows);
    forward(frame);
    return;
  }
  if (!p.exec) p.exec = record(rows, forward);
  check(cudaGraphLaunch(p.exec, stream_));
}

}  // namespace tern
