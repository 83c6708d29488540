// A trainer that saves its layers at the end of an epoch while it reports metrics.
#include <cstdio>
#include <string>
#include <vector>

#include "checkpoint.h"
#include "metrics.h"

namespace {

struct Layer {
  std::string name;
  float scale;
  float* weights;
};

constexpr std::size_t kWeights = 1 << 16;

__global__ void update(float* w, std::size_t n, float scale) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    w[i] = scale * float(i % 97);
}

__global__ void write_loss(float* loss, float value) { *loss = value; }

std::uint64_t expected(float scale) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kWeights; ++i)
    sum = sum * 31 + static_cast<std::uint16_t>(static_cast<std::int16_t>(scale * float(i % 97) * 64.f));
  return sum;
}

}  // namespace

int main() {
  using ckpt::must;
  std::vector<Layer> layers = {{"embed", 0.5f, nullptr}, {"attn", 1.0f, nullptr}, {"head", 2.0f, nullptr}};
  cudaStream_t train;
  float* loss;
  must(cudaStreamCreateWithFlags(&train, cudaStreamNonBlocking));
  must(cudaMalloc(&loss, sizeof(float)));
  for (Layer& layer : layers) must(cudaMalloc(&layer.weights, kWeights * sizeof(float)));

  long wrong = 0;
  float spent = 0.f;
  {
    ckpt::EventPool events;
    ckpt::Metrics metrics(events);
    ckpt::Writer writer(events, kWeights, static_cast<int>(layers.size()));

    for (const Layer& layer : layers)
      update<<<32, 256, 0, train>>>(layer.weights, kWeights, layer.scale);
    write_loss<<<1, 1, 0, train>>>(loss, 0.25f);
    must(cudaGetLastError());
    must(cudaStreamSynchronize(train));

    for (const Layer& layer : layers)
      writer.save(layer.name, ckpt::TensorRef{layer.weights, kWeights}, train);
    const ckpt::Metrics::Sample sample = metrics.sample(loss);
    writer.commit();
    spent += sample.milliseconds();
    wrong += metrics.loss() != 0.25f;

    const auto written = writer.finish();
    for (const Layer& layer : layers) {
      auto it = written.find(layer.name);
      wrong += it == written.end() || it->second.checksum != expected(layer.scale);
    }
  }
  for (Layer& layer : layers) must(cudaFree(layer.weights));
  must(cudaFree(loss));
  must(cudaStreamDestroy(train));
  std::printf("metrics took %.3f ms\n", spent);
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
