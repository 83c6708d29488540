#include "engine.hpp"
namespace ik {
namespace {
__global__ void linear_kernel(float* out, const float* in, const float* w, int width) {
  for (int col = threadIdx.x; col < width; col += blockDim.x) {
    float acc = 0;
    for (int k = 0; k < width; ++k) acc += in[blockIdx.x * width + k] * w[k * width + col];
    out[blockIdx.x * width + col] = acc;
  }
}

__global__ void row_sum_kernel(float* sums, const float* in, int width, int batch) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= batch) return;
  float acc = 0;
  for (int k = 0; k < width; ++k) acc += in[row * width + k];
  sums[row] = acc;
}

__global__ void subtract_kernel(float* out, const float* in, const float* sums, int width) {
  for (int col = threadIdx.x; col < width; col += blockDim.x)
    out[blockIdx.x * width + col] = width * in[blockIdx.x * width + col] - sums[blockIdx.x];
}

class Linear final : public Layer {
 public:
  Linear(const std::vector<float>& weights, int width) : width_(width) {
    check(cudaMalloc(&weights_, weights.size() * sizeof(float)));
    check(cudaMemcpy(weights_, weights.data(), weights.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
  ~Linear() override { cudaFree(weights_); }
  std::size_t workspace(int) const override { return 0; }
  void enqueue(Arena&, const float* in, float* out, int batch, cudaStream_t stream) const override {
    linear_kernel<<<batch, 64, 0, stream>>>(out, in, weights_, width_);
    check(cudaGetLastError());
  }

 private:
  int width_;
  float* weights_ = nullptr;
};

// width * x - sum(x) for each row
class Center final : public Layer {
 public:
  explicit Center(int width) : width_(width) {}
  std::size_t workspace(int batch) const override { return Arena::align(batch * sizeof(float)); }
  void enqueue(Arena& arena, const float* in, float* out, int batch, cudaStream_t stream) const override {
    float* sums = arena.take<float>(batch);
    row_sum_kernel<<<(batch + 63) / 64, 64, 0, stream>>>(sums, in, width_, batch);
    check(cudaGetLastError());
    subtract_kernel<<<batch, 64, 0, stream>>>(out, in, sums, width_);
    check(cudaGetLastError());
  }

 private:
  int width_;
};
}  // namespace

std::unique_ptr<Layer> make_linear(const std::vector<float>& weights, int width) {
  return std::make_unique<Linear>(weights, width);
}

std::unique_ptr<Layer> make_center(int width) { return std::make_unique<Center>(width); }
}  // namespace ik
