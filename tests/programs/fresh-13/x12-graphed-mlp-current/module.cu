#include "module.h"

namespace tl {
namespace {

__global__ void bias_relu(int n, float* y, const float* bias) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(y[i] + bias[i], 0.f);
}

}  // namespace

Mlp::Mlp(const std::vector<int>& widths) {
  for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
    Linear layer{widths[l], widths[l + 1], nullptr, nullptr};
    std::vector<float> w(layer.in * layer.out), b(layer.out);
    for (int r = 0; r < layer.out; ++r) {
      b[r] = bias_at(int(l), r);
      for (int c = 0; c < layer.in; ++c) w[r * layer.in + c] = weight_at(int(l), r, c);
    }
    TL_CHECK(cudaMalloc(&layer.weight, w.size() * sizeof(float)));
    TL_CHECK(cudaMalloc(&layer.bias, b.size() * sizeof(float)));
    TL_CHECK(cudaMemcpy(layer.weight, w.data(), w.size() * sizeof(float), cudaMemcpyHostToDevice));
    TL_CHECK(cudaMemcpy(layer.bias, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    float* activation = nullptr;
    TL_CHECK(cudaMalloc(&activation, b.size() * sizeof(float)));
    layers_.push_back(layer);
    hidden_.push_back(activation);
  }
  TL_CHECK(cudaDeviceSynchronize());
}

Mlp::~Mlp() {
  for (Linear& layer : layers_) {
    TL_CHECK(cudaFree(layer.weight));
    TL_CHECK(cudaFree(layer.bias));
  }
  for (float* h : hidden_) TL_CHECK(cudaFree(h));
}

const float* Mlp::forward(const float* input) {
  const float* x = input;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Linear& layer = layers_[l];
    gemv(blas_context(), layer.out, layer.in, layer.weight, x, hidden_[l]);
    bias_relu<<<(layer.out + 127) / 128, 128, 0, get_current_stream()>>>(layer.out, hidden_[l],
                                                                        layer.bias);
    TL_CHECK(cudaGetLastError());
    x = hidden_[l];
  }
  return x;
}

GraphedForward::GraphedForward(Mlp& model, const float* static_input, cudaStream_t stream)
    : stream_(stream) {
  StreamGuard guard(stream_);
  TL_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  output_ = model.forward(static_input);
  TL_CHECK(cudaStreamEndCapture(stream_, &graph_));
  TL_CHECK(cudaGraphInstantiate(&exec_, graph_, 0));
}

GraphedForward::~GraphedForward() {
  TL_CHECK(cudaGraphExecDestroy(exec_));
  TL_CHECK(cudaGraphDestroy(graph_));
}

}  // namespace tl
