#include <cub/device/device_reduce.cuh>

#include "plan.hpp"

namespace sig {
namespace {

__global__ void apply_window(float const* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = 2.f * i / (n - 1) - 1.f;
  out[i] = in[i] * (1.f - x * x);
}

__global__ void normalise(float const* in, float const* peak, float headroom, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * (headroom / *peak);
}

constexpr int kBlock = 256;
int blocks_for(int n) { return (n + kBlock - 1) / kBlock; }

}  // namespace

peak_plan::peak_plan(plan_config const& cfg, float const* in, float* out, cudaStream_t stream)
    : cfg_(cfg), in_(in), out_(out), windowed_(make_device<float>(cfg.length)), peak_(make_device<float>(1)) {
  ok(cub::DeviceReduce::Max(nullptr, temp_bytes_, windowed_.get(), peak_.get(), cfg_.length));
  temp_ = make_device<unsigned char>(temp_bytes_);
  enqueue(stream);
  ok(cudaStreamSynchronize(stream));
  if (cfg_.use_graph) build(stream);
}

peak_plan::~peak_plan() {
  if (exec_) cudaGraphExecDestroy(exec_);
}

void peak_plan::enqueue(cudaStream_t stream) {
  int const n = cfg_.length;
  apply_window<<<blocks_for(n), kBlock, 0, stream>>>(in_, windowed_.get(), n);
  ok(cudaGetLastError());
  ok(cub::DeviceReduce::Max(temp_.get(), temp_bytes_, windowed_.get(), peak_.get(), n));
  normalise<<<blocks_for(n), kBlock, 0, stream>>>(windowed_.get(), peak_.get(), cfg_.headroom, out_, n);
  ok(cudaGetLastError());
}

void peak_plan::build(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  enqueue(stream);
  ok(cudaStreamEndCapture(stream, &graph));
  ok(cudaGraphInstantiate(&exec_, graph, 0));
  ok(cudaGraphDestroy(graph));
}

void peak_plan::execute(cudaStream_t stream) {
  if (exec_)
    ok(cudaGraphLaunch(exec_, stream));
  else
    enqueue(stream);
}

}  // namespace sig
