#include "chain.h"

namespace firchain {

namespace {

constexpr int block = 256;

unsigned blocks(std::size_t n) { return unsigned((n + block - 1) / block); }

__global__ void fir_direct(taps t, const float* in, float* out, int n) {
  int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float acc = 0.0f;
  for (int k = 0; k < t.count && k <= i; ++k) acc += t.c[k] * in[i - k];
  out[i] = acc * t.gain;
}

__global__ void fir_tiled(taps t, const float* in, float* out, int n) {
  __shared__ float tile[block + max_taps];
  const int base = blockIdx.x * block - max_taps;
  for (int j = threadIdx.x; j < block + max_taps; j += block) {
    int at = base + j;
    tile[j] = at >= 0 && at < n ? in[at] : 0.0f;
  }
  __syncthreads();
  int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float acc = 0.0f;
  for (int k = 0; k < t.count; ++k) acc += t.c[k] * tile[threadIdx.x + max_taps - k];
  out[i] = acc * t.gain;
}

class direct_backend final : public backend {
 public:
  std::string_view name() const override { return "direct"; }
  void run(const taps& t, span<const float> in, span<float> out, cudaStream_t stream) override {
    fir_direct<<<blocks(in.size), block, 0, stream>>>(t, in.data, out.data, int(in.size));
    detail::expect(cudaGetLastError(), "fir_direct");
  }
};

class tiled_backend final : public backend {
 public:
  std::string_view name() const override { return "tiled"; }
  void run(const taps& t, span<const float> in, span<float> out, cudaStream_t stream) override {
    fir_tiled<<<blocks(in.size), block, 0, stream>>>(t, in.data, out.data, int(in.size));
    detail::expect(cudaGetLastError(), "fir_tiled");
  }
};

}  // namespace

std::unique_ptr<backend> make_backend(method m) {
  if (m == method::direct) return std::make_unique<direct_backend>();
  return std::make_unique<tiled_backend>();
}

}  // namespace firchain
