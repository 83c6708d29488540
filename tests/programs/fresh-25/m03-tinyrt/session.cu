#include "session.h"

#include "kernels.h"

namespace tinyrt {
namespace {

// Folds weight and batch normalisation into one multiply and one add for each channel.
void fold(const layer_spec& spec, int channels, float* block)
{
  for (int c = 0; c < channels; ++c) {
    block[c] = spec.weight[c] * spec.gamma[c];
    block[channels + c] = spec.beta[c] - spec.mean[c] * spec.gamma[c];
  }
}

}  // namespace

session::session(int channels, int pixels)
    : channels_(channels),
      pixels_(pixels),
      activation_(static_cast<std::size_t>(channels) * pixels),
      params_(2 * static_cast<std::size_t>(channels))
{
  check(cudaStreamCreateWithFlags(&capture_stream_, cudaStreamNonBlocking));
}

session::~session()
{
  if (exec_) cudaGraphExecDestroy(exec_);
  cudaStreamDestroy(capture_stream_);
}

void session::add(layer_spec spec) { layers_.push_back(std::move(spec)); }

void session::emit(std::size_t index, cudaStream_t stream)
{
  const layer_spec& spec = layers_[index];
  float* block = staging_.data();
  fold(spec, channels_, block);
  check(cudaMemcpyAsync(params_.data(), block, block_floats() * sizeof(float),
                        cudaMemcpyHostToDevice, stream));
  launch_affine(activation_.data(), params_.data(), channels_, pixels_, spec.relu, stream);
}

void session::compile()
{
  staging_ = host_block(block_floats());

  check(cudaStreamBeginCapture(capture_stream_, cudaStreamCaptureModeThreadLocal));
  for (std::size_t i = 0; i < layers_.size(); ++i) emit(i, capture_stream_);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(capture_stream_, &graph));

  if (exec_) check(cudaGraphExecDestroy(exec_));
  check(cudaGraphInstantiate(&exec_, graph, 0));
  check(cudaGraphDestroy(graph));
}

void session::run(const float* in, float* out, cudaStream_t stream)
{
  const std::size_t bytes = activation_.size() * sizeof(float);
  check(cudaMemcpyAsync(activation_.data(), in, bytes, cudaMemcpyDeviceToDevice, stream));
  check(cudaGraphLaunch(exec_, stream));
  check(cudaMemcpyAsync(out, activation_.data(), bytes, cudaMemcpyDeviceToDevice, stream));
}

}  // namespace tinyrt
