#include "ocx_filters.hpp"

#include <algorithm>
#include <cmath>

namespace ocx {
namespace cuda {
namespace device {

constexpr int MAX_KSIZE = 127;
constexpr int GRID = 4, BLOCK = 256;

struct Taps {
  float k[MAX_KSIZE];
  int size;
};

template <bool horizontal>
__global__ void linearFilter(const float* src, float* dst, int rows, int cols, const Taps taps) {
  const int anchor = taps.size / 2;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < rows * cols; i += GRID * BLOCK) {
    const int y = i / cols, x = i % cols;
    float sum = 0.f;
    for (int t = 0; t < taps.size; ++t) {
      const int sx = horizontal ? min(max(x + t - anchor, 0), cols - 1) : x;
      const int sy = horizontal ? y : min(max(y + t - anchor, 0), rows - 1);
      sum += taps.k[t] * src[sy * cols + sx];
    }
    dst[i] = sum;
  }
}

template <bool horizontal>
__global__ void halve(const float* src, float* dst, int rows, int cols, int srcCols) {
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < rows * cols; i += gridDim.x * BLOCK) {
    const int y = i / cols, x = i % cols;
    const float* a = horizontal ? src + y * srcCols + 2 * x : src + 2 * y * srcCols + x;
    dst[i] = 0.5f * (a[0] + a[horizontal ? 1 : srcCols]);
  }
}

}  // namespace device

namespace {

class SeparableLinearFilter : public Filter {
 public:
  explicit SeparableLinearFilter(const std::vector<float>& kernel) {
    if (kernel.size() > device::MAX_KSIZE) throw std::invalid_argument("filter kernel too long");
    taps_.size = static_cast<int>(kernel.size());
    std::copy(kernel.begin(), kernel.end(), taps_.k);
  }

  void apply(const GpuMat& src, GpuMat& dst, Stream& stream) override {
    dst.create(src.rows, src.cols);
    GpuMat buf(src.rows, src.cols);
    cudaStream_t s = StreamAccessor::getStream(stream);
    device::linearFilter<true><<<device::GRID, device::BLOCK, 0, s>>>(src.data(), buf.data(), src.rows, src.cols, taps_);
    ocxCudaSafeCall(cudaGetLastError());
    device::linearFilter<false><<<device::GRID, device::BLOCK, 0, s>>>(buf.data(), dst.data(), src.rows, src.cols, taps_);
    ocxCudaSafeCall(cudaGetLastError());
  }

 private:
  device::Taps taps_;
};

}  // namespace

std::vector<float> getGaussianKernel(int ksize, double sigma) {
  std::vector<float> k(ksize);
  double sum = 0;
  for (int t = 0; t < ksize; ++t) sum += std::exp(-0.5 * std::pow((t - ksize / 2) / sigma, 2));
  for (int t = 0; t < ksize; ++t) k[t] = static_cast<float>(std::exp(-0.5 * std::pow((t - ksize / 2) / sigma, 2)) / sum);
  return k;
}

Ptr<Filter> createGaussianFilter(int ksize, double sigma) {
  return std::make_shared<SeparableLinearFilter>(getGaussianKernel(ksize, sigma));
}

void pyrDown(const GpuMat& src, GpuMat& dst, Stream& stream) {
  dst.create(src.rows / 2, src.cols / 2);
  BufferPool pool(stream);
  GpuMat buf = pool.getBuffer(src.rows, dst.cols);
  cudaStream_t s = StreamAccessor::getStream(stream);
  device::halve<true><<<16, device::BLOCK, 0, s>>>(src.data(), buf.data(), src.rows, dst.cols, src.cols);
  ocxCudaSafeCall(cudaGetLastError());
  device::halve<false><<<16, device::BLOCK, 0, s>>>(buf.data(), dst.data(), dst.rows, dst.cols, dst.cols);
  ocxCudaSafeCall(cudaGetLastError());
}

}  // namespace cuda
}  // namespace ocx
