#include "separable.hpp"

namespace filt {
namespace {

__device__ void spend(int us) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0)::"memory");
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  } while (t - t0 < static_cast<unsigned long long>(us) * 1000ull);
}

__global__ void box_rows(float const* in, float* out, int w, int h, int r, int us) {
  spend(us);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x) {
    int x = i % w, y = i / w;
    float acc = 0.f;
    for (int k = -r; k <= r; ++k) acc += in[y * w + min(max(x + k, 0), w - 1)];
    out[i] = acc;
  }
}

__global__ void box_columns(float const* in, float* out, int w, int h, int r, int us) {
  spend(us);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x) {
    int x = i % w, y = i / w;
    float acc = 0.f;
    for (int k = -r; k <= r; ++k) acc += in[min(max(y + k, 0), h - 1) * w + x];
    out[i] = acc;
  }
}

constexpr int kGrid = 12;
constexpr int kBlock = 256;

}  // namespace

separable_filter::separable_filter(filter_options const& opt) : opt_(opt), lanes_(opt.lanes) {
  std::size_t const pixels = static_cast<std::size_t>(opt.max_width) * opt.max_height;
  for (auto& l : lanes_) l.reserve(pixels);
  must(cudaEventCreateWithFlags(&start_, cudaEventDisableTiming));
}

separable_filter::~separable_filter() { cudaEventDestroy(start_); }

void separable_filter::apply_one(lane& l, image const& in, image const& out) {
  float* mid = l.reserve(in.pixels());
  box_rows<<<kGrid, kBlock, 0, l.stream()>>>(in.data, mid, in.width, in.height, opt_.radius, opt_.passes_cost_us);
  must(cudaGetLastError());
  box_columns<<<kGrid, kBlock, 0, l.stream()>>>(mid, out.data, in.width, in.height, opt_.radius, opt_.passes_cost_us);
  must(cudaGetLastError());
}

void separable_filter::apply(std::vector<image> const& in, std::vector<image> const& out, cudaStream_t stream) {
  must(cudaEventRecord(start_, stream));
  for (auto& l : lanes_) l.follow(start_);
  for (std::size_t i = 0; i < in.size(); ++i) apply_one(lanes_[i % lanes_.size()], in[i], out[i]);
  for (auto& l : lanes_) l.join_into(stream);
}

}  // namespace filt
