#include "fir_graph.h"
#include "param_test.h"

#include <cmath>

namespace {

__global__ void firKernel(float* out, const float* in, const float* taps, int radius, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = -radius; k <= radius; ++k) {
    const int j = min(max(i + k, 0), n - 1);
    sum += taps[k + radius] * in[j];
  }
  out[i] = sum;
}

}  // namespace

std::vector<float> makeTaps(Window window, int radius) {
  std::vector<float> taps(2 * radius + 1);
  float total = 0.0f;
  for (int k = -radius; k <= radius; ++k) {
    const float weight =
        window == Window::Box ? 1.0f : static_cast<float>(radius + 1 - std::abs(k));
    taps[k + radius] = weight;
    total += weight;
  }
  for (float& t : taps) t /= total;
  return taps;
}

FirGraph::FirGraph(const FirSpec& spec, cudaStream_t stream) : spec_(spec), stream_(stream) {
  const size_t bytes = spec.samples * sizeof(float);
  CUDA_OK(cudaMallocHost(&hostIn_, bytes));
  CUDA_OK(cudaMallocHost(&hostOut_, bytes));
  CUDA_OK(cudaMalloc(&in_, bytes));
  CUDA_OK(cudaMalloc(&out_, bytes));
  CUDA_OK(cudaMalloc(&taps_, (2 * spec.radius + 1) * sizeof(float)));
  record();
}

FirGraph::~FirGraph() {
  cudaStreamSynchronize(stream_);
  cudaGraphExecDestroy(exec_);
  cudaFree(taps_);
  cudaFree(out_);
  cudaFree(in_);
  cudaFreeHost(hostOut_);
  cudaFreeHost(hostIn_);
}

void FirGraph::record() {
  const size_t bytes = spec_.samples * sizeof(float);
  const std::vector<float> taps = makeTaps(spec_.window, spec_.radius);

  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  CUDA_OK(cudaMemcpyAsync(in_, hostIn_, bytes, cudaMemcpyHostToDevice, stream_));
  CUDA_OK(cudaMemcpyAsync(taps_, taps.data(), taps.size() * sizeof(float), cudaMemcpyHostToDevice,
                          stream_));
  firKernel<<<(spec_.samples + 255) / 256, 256, 0, stream_>>>(out_, in_, taps_, spec_.radius,
                                                              spec_.samples);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaMemcpyAsync(hostOut_, out_, bytes, cudaMemcpyDeviceToHost, stream_));
  CUDA_OK(cudaStreamEndCapture(stream_, &graph));

  size_t count = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &count));
  nodes_ = static_cast<int>(count);
  CUDA_OK(cudaGraphInstantiate(&exec_, graph, 0));
  CUDA_OK(cudaGraphDestroy(graph));
}

void FirGraph::replay() { CUDA_OK(cudaGraphLaunch(exec_, stream_)); }
