#include "filter.hpp"

namespace sepf {
namespace {

template <Edge kEdge>
__device__ float fetch(const float* img, int x, int y, int w, int h) {
  if (kEdge == Edge::Zero && (x < 0 || y < 0 || x >= w || y >= h)) return 0.0f;
  x = min(max(x, 0), w - 1);
  y = min(max(y, 0), h - 1);
  return img[y * w + x];
}

template <Edge kEdge, bool kRows>
__global__ void pass(const float* src, float* dst, const float* taps, int radius, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int k = -radius; k <= radius; ++k)
    sum += taps[k + radius] * fetch<kEdge>(src, kRows ? x + k : x, kRows ? y : y + k, w, h);
  dst[y * w + x] = sum;
}

using PassFn = void (*)(const float*, float*, const float*, int, int, int);
constexpr PassFn kPasses[2][2] = {
    {pass<Edge::Clamp, true>, pass<Edge::Clamp, false>},
    {pass<Edge::Zero, true>, pass<Edge::Zero, false>},
};

}  // namespace

Result<std::shared_ptr<Filter>> Filter::make(const Shape& shape, const std::vector<float>& taps) {
  if (taps.size() != std::size_t(2 * shape.radius + 1)) return cudaErrorInvalidValue;
  auto plan = std::make_shared<Filter>(shape);
  const std::size_t bytes = taps.size() * sizeof(float);
  SEPF_TRY(cudaMalloc(&plan->taps_, bytes));
  SEPF_TRY(cudaMemcpy(plan->taps_, taps.data(), bytes, cudaMemcpyHostToDevice));
  SEPF_TRY(cudaMalloc(&plan->scratch_, shape.bytes()));
  return plan;
}

Filter::~Filter() {
  cudaFree(scratch_);
  cudaFree(taps_);
}

cudaError_t Filter::execute(const float* src, float* dst, cudaStream_t stream) {
  const dim3 block(32, 8);
  const dim3 grid((shape_.width + 31) / 32, (shape_.height + 7) / 8);
  const auto& table = kPasses[static_cast<int>(shape_.edge)];
  table[0]<<<grid, block, 0, stream>>>(src, scratch_, taps_, shape_.radius, shape_.width, shape_.height);
  SEPF_TRY(cudaGetLastError());
  table[1]<<<grid, block, 0, stream>>>(scratch_, dst, taps_, shape_.radius, shape_.width, shape_.height);
  return cudaGetLastError();
}

Result<std::shared_ptr<Filter>> FilterCache::get(const Shape& shape, const std::vector<float>& taps) {
  if (auto it = plans_.find(shape); it != plans_.end()) return it->second;
  auto plan = Filter::make(shape, taps);
  if (plan) plans_.emplace(shape, *plan);
  return plan;
}

Result<Recording> Recording::make(std::vector<Step> steps, cudaStream_t stream) {
  Recording rec(std::move(steps));
  SEPF_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaError_t status = cudaSuccess;
  for (const Step& step : rec.steps_) {
    status = step.plan->execute(step.src, step.dst, stream);
    if (status != cudaSuccess) break;
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (status == cudaSuccess) status = ended;
  if (status == cudaSuccess) status = cudaGraphInstantiate(&rec.exec_, graph, 0);
  if (graph) cudaGraphDestroy(graph);
  SEPF_TRY(status);
  return Result<Recording>(std::move(rec));
}

Recording::~Recording() {
  if (exec_) cudaGraphExecDestroy(exec_);
}

}  // namespace sepf
