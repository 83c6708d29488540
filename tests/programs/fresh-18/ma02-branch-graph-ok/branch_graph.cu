// Captures a set of independent branches into one executable CUDA graph.
#include <cuda_runtime.h>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace exec {

inline void check(cudaError_t e, const char* where) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(where) + ": " + cudaGetErrorString(e));
}

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking), "stream"); }
  Stream(Stream&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
  Stream(const Stream&) = delete;
  ~Stream() { if (s_) cudaStreamDestroy(s_); }
  operator cudaStream_t() const { return s_; }
 private:
  cudaStream_t s_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming), "event"); }
  Event(Event&& o) noexcept : e_(std::exchange(o.e_, nullptr)) {}
  Event(const Event&) = delete;
  ~Event() { if (e_) cudaEventDestroy(e_); }
  operator cudaEvent_t() const { return e_; }
 private:
  cudaEvent_t e_ = nullptr;
};

class BranchGraph {
 public:
  using Body = std::function<void(cudaStream_t)>;

  BranchGraph& prologue(Body b) { prologue_ = std::move(b); return *this; }
  BranchGraph& branch(Body b) { branches_.push_back(std::move(b)); return *this; }
  BranchGraph& epilogue(Body b) { epilogue_ = std::move(b); return *this; }

  void build(cudaStream_t origin) {
    const size_t n = branches_.size();
    std::vector<Stream> side(n);
    std::vector<Event> done(n);
    Event fork;
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal), "begin capture");
    if (prologue_) prologue_(origin);
    check(cudaEventRecord(fork, origin), "fork record");
    for (size_t i = 0; i < n; ++i) {
      check(cudaStreamWaitEvent(side[i], fork, 0), "fork wait");
      branches_[i](side[i]);
      check(cudaEventRecord(done[i], side[i]), "branch record");
    }
    for (size_t i = 0; i < n; ++i) check(cudaStreamWaitEvent(origin, done[i], 0), "join");
    if (epilogue_) epilogue_(origin);
    check(cudaStreamEndCapture(origin, &graph), "end capture");
    if (exec_) cudaGraphExecDestroy(exec_);
    check(cudaGraphInstantiateWithFlags(&exec_, graph, 0), "instantiate");
    check(cudaGraphDestroy(graph), "graph destroy");
  }

  void launch(cudaStream_t s) const { check(cudaGraphLaunch(exec_, s), "launch"); }
  ~BranchGraph() { if (exec_) cudaGraphExecDestroy(exec_); }

 private:
  Body prologue_, epilogue_;
  std::vector<Body> branches_;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace exec

__global__ void iota(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = float(i);
}
__global__ void affine(const float* x, float* y, int n, float a, float b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b;
}
__global__ void sum3(const float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = y[i] + y[n + i] + y[2 * n + i];
}

int main() try {
  const int n = 4096, g = n / 256;
  exec::Stream s;
  float *x, *y, *z, h = 0.f;
  exec::check(cudaMalloc(&x, n * sizeof(float)), "malloc");
  exec::check(cudaMalloc(&y, 3 * n * sizeof(float)), "malloc");
  exec::check(cudaMalloc(&z, n * sizeof(float)), "malloc");
  exec::BranchGraph bg;
  bg.prologue([=](cudaStream_t q) { iota<<<g, 256, 0, q>>>(x, n); });
  for (int k = 0; k < 3; ++k)
    bg.branch([=](cudaStream_t q) { affine<<<g, 256, 0, q>>>(x, y + k * n, n, 1.f + k, 0.5f); });
  bg.epilogue([=](cudaStream_t q) { sum3<<<g, 256, 0, q>>>(y, z, n); });
  bg.build(s);
  for (int it = 0; it < 10; ++it) bg.launch(s);
  exec::check(cudaMemcpyAsync(&h, z + 10, sizeof h, cudaMemcpyDeviceToHost, s), "copy");
  exec::check(cudaStreamSynchronize(s), "sync");
  std::printf("z[10] = %g\n", h);
  cudaFree(x); cudaFree(y); cudaFree(z);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
