// Builds a network as a graph while its weights are being loaded, then replays it per request.
#include <algorithm>
#include <cstdio>

#include "engine.h"
#include "loader.h"

namespace engine {
class Network {
 public:
  Network(const std::vector<LayerSpec>& specs, WeightLoader& loader, const EngineOptions& options)
      : options_(options) {
    ENGINE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (float*& buffer : buffers_) ENGINE_CUDA(cudaMalloc(&buffer, sizeof(float) * kWidth));
    for (float** p : {&input_, &output_}) ENGINE_CUDA(cudaMallocHost(p, sizeof(float) * kWidth));
    for (const LayerSpec& spec : specs) layers_.push_back(make_dense(loader.request(spec)));
  }
  ~Network() {
    if (exec_) cudaGraphExecDestroy(exec_);
    for (float* buffer : buffers_) cudaFree(buffer);
    for (float* buffer : {input_, output_}) cudaFreeHost(buffer);
    cudaStreamDestroy(stream_);
  }
  void compile() {
    cudaGraph_t graph = nullptr;
    ENGINE_CUDA(cudaStreamBeginCapture(stream_, options_.capture_mode));
    enqueue_all();
    ENGINE_CUDA(cudaStreamEndCapture(stream_, &graph));
    ENGINE_CUDA(cudaGraphInstantiate(&exec_, graph, 0));
    ENGINE_CUDA(cudaGraphDestroy(graph));
  }
  std::vector<float> infer(const std::vector<float>& in) {
    std::copy(in.begin(), in.end(), input_);
    ENGINE_CUDA(cudaGraphLaunch(exec_, stream_));
    ENGINE_CUDA(cudaStreamSynchronize(stream_));
    return std::vector<float>(output_, output_ + kWidth);
  }
 private:
  void enqueue_all() {
    const size_t bytes = sizeof(float) * kWidth;
    ENGINE_CUDA(cudaMemcpyAsync(buffers_[0], input_, bytes, cudaMemcpyHostToDevice, stream_));
    int at = 0;
    for (auto& layer : layers_) {
      layer->enqueue(buffers_[at], buffers_[1 - at], stream_);
      at = 1 - at;
    }
    ENGINE_CUDA(cudaMemcpyAsync(output_, buffers_[at], bytes, cudaMemcpyDeviceToHost, stream_));
  }
  EngineOptions options_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  float* buffers_[2] = {nullptr, nullptr};
  float *input_ = nullptr, *output_ = nullptr;
  std::vector<std::unique_ptr<Layer>> layers_;
};

std::vector<float> reference(const std::vector<LayerSpec>& specs, std::vector<float> x) {
  for (const LayerSpec& spec : specs) {
    std::vector<float> y(kWidth, 0.0f);
    for (int i = 0; i < kWidth * kWidth; ++i)
      y[i / kWidth] += float(weight_value(spec.seed, i / kWidth, i % kWidth)) * x[i % kWidth];
    for (float& value : y) value = std::min(std::max(value, 0.0f), 15.0f);
    x.swap(y);
  }
  return x;
}

int serve(const std::vector<LayerSpec>& specs, const EngineOptions& options, int requests) {
  WeightLoader loader(options);
  Network network(specs, loader, options);
  network.compile();
  int wrong = 0;
  for (int r = 0; r < requests; ++r) {
    std::vector<float> in(kWidth);
    for (int i = 0; i < kWidth; ++i) in[i] = float((i * (r + 3)) % 7);
    if (network.infer(in) != reference(specs, in)) ++wrong;
  }
  return wrong;
}
}  // namespace engine

int main() {
  using namespace engine;
  const std::vector<LayerSpec> specs = {{"embed", DType::f32, 1}, {"mlp.0", DType::i8, 2},
                                        {"mlp.1", DType::i16, 3}, {"head", DType::i8, 4}};
  try {
    const int wrong = serve(specs, EngineOptions(), 20);
    std::printf(wrong ? "WRONG %d\n" : "DONE\n", wrong);
  } catch (const CudaFailure& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::printf("ERROR %s\n", cudaGetErrorName(e.code));
  }
  return 0;
}
