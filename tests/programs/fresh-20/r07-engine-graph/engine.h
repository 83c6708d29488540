#pragma once
// Layers, weights and options of the small inference engine.
#include <cuda_runtime.h>
#include <cstdint>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace engine {
struct CudaFailure : std::runtime_error {
  CudaFailure(cudaError_t c, const std::string& where) : std::runtime_error(where), code(c) {}
  cudaError_t code;
};

inline void check(cudaError_t code, const char* text) {
  if (code != cudaSuccess) throw CudaFailure(code, text);
}
#define ENGINE_CUDA(...) ::engine::check((__VA_ARGS__), #__VA_ARGS__)

enum class DType : uint8_t { f32, i8, i16 };

/// Evaluates the statements with `weight_t` bound to the element type of a tensor.
#define ENGINE_WITH_DTYPE(dtype, ...)                                     \
  [&] {                                                                   \
    if ((dtype) == ::engine::DType::f32) { using weight_t = float; __VA_ARGS__ }   \
    if ((dtype) == ::engine::DType::i8) { using weight_t = int8_t; __VA_ARGS__ }   \
    if ((dtype) == ::engine::DType::i16) { using weight_t = int16_t; __VA_ARGS__ } \
  }()

constexpr int kWidth = 128;

struct LayerSpec {
  std::string name;
  DType dtype;
  int seed;
};

struct EngineOptions {
  int loader_threads = 2;
  int storage_delay_ms = 25;  ///< modelled latency of reading one tensor from storage
  cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
};

/// Device copy of one weight matrix.
struct Weights {
  void* data = nullptr;
  DType dtype = DType::f32;
  ~Weights() { cudaFree(data); }
};
using WeightsFuture = std::shared_future<std::shared_ptr<Weights>>;

inline int weight_value(int seed, int row, int col) {
  return (row * 31 + col * 17 + seed * 7) % 5 - 2;
}

class Layer {
 public:
  virtual ~Layer() = default;
  virtual void enqueue(const float* in, float* out, cudaStream_t stream) = 0;
};

/// out = clamp(W in, 0, 15); the weights may still be on their way when the layer is built.
std::unique_ptr<Layer> make_dense(WeightsFuture weights);
}  // namespace engine
