#include "layer.h"

namespace conv {
namespace {

__global__ void Product(const int* columns, int* out, int total, Taps taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int sum = 0;
  for (int t = 0; t < kTaps; ++t) sum += columns[t * total + i] * taps.w[t];
  out[i] = sum;
}

__global__ void Unroll(const int* in, int* columns, int total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  const int plane = i / kPlane, y = i % kPlane / kSide, x = i % kSide;
  for (int t = 0; t < kTaps; ++t) {
    const int yy = y + t / 3 - 1, xx = x + t % 3 - 1;
    const bool inside = yy >= 0 && yy < kSide && xx >= 0 && xx < kSide;
    columns[t * total + i] = inside ? in[plane * kPlane + yy * kSide + xx] : 0;
  }
}

}  // namespace

Layer::Layer(Workspace* workspace, int seed) : workspace_(workspace) {
  for (int t = 0; t < kTaps; ++t) taps_.w[t] = (seed * 5 + t * 3) % 7 - 3;
}

void Layer::Enqueue(const int* in, int* out, int batch, cudaStream_t stream) const {
  const int total = batch * kPlane;
  int* columns = workspace_->Get<int>(static_cast<size_t>(total) * kTaps);
  Unroll<<<(total + 255) / 256, 256, 0, stream>>>(in, columns, total);
  CONV_CHECK(cudaGetLastError());
  Product<<<(total + 255) / 256, 256, 0, stream>>>(columns, out, total, taps_);
  CONV_CHECK(cudaGetLastError());
}

void Layer::Reference(const std::vector<int>& in, std::vector<int>* out, int batch) const {
  out->assign(static_cast<size_t>(batch) * kPlane, 0);
  for (int p = 0; p < batch; ++p)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        int sum = 0;
        for (int t = 0; t < kTaps; ++t) {
          const int yy = y + t / 3 - 1, xx = x + t % 3 - 1;
          if (yy >= 0 && yy < kSide && xx >= 0 && xx < kSide) sum += in[p * kPlane + yy * kSide + xx] * taps_.w[t];
        }
        (*out)[p * kPlane + y * kSide + x] = sum;
      }
}

}  // namespace conv
