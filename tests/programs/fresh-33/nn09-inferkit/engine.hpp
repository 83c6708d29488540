#pragma once
#include "arena.hpp"
#include <map>
#include <memory>

namespace ik {
// One operation on rows of `width` floats.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual std::size_t workspace(int batch) const = 0;
  virtual void enqueue(Arena& arena, const float* in, float* out, int batch, cudaStream_t stream) const = 0;
};

std::unique_ptr<Layer> make_linear(const std::vector<float>& weights, int width);
std::unique_ptr<Layer> make_center(int width);

struct Profile {
  int opt_batch;
  int max_batch;
};
struct Engine {
  int width;
  Profile profile;
  std::vector<std::unique_ptr<Layer>> layers;
  std::size_t workspace(int batch) const {
    std::size_t total = 0;
    for (const auto& layer : layers) total += layer->workspace(batch);
    return total;
  }
};

// Runs an engine on a stream of its own, one graph for each batch size.
class ExecutionContext {
 public:
  explicit ExecutionContext(const Engine& engine);
  ~ExecutionContext();
  ExecutionContext(const ExecutionContext&) = delete;
  void infer(const float* in, float* out, int batch);

 private:
  cudaGraphExec_t capture(int batch);
  void enqueue(int batch);
  const Engine& engine_;
  Arena arena_;
  cudaStream_t stream_ = nullptr;
  float* pinned_ = nullptr;
  float* act_[2] = {};
  std::map<int, cudaGraphExec_t> graphs_;
};
}  // namespace ik
