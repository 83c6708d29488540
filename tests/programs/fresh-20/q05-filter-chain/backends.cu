#include "chain.h"

namespace firchain {

namespace {

constexpr int block = 256;

unsigned blocks(std::size_t n) { return unsigned((n + block - 1) / block); }

__global__ void fir_direct(const taps* t, const float* in, float* out, int n) {
  int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float acc = 0.0f;
  for (int k = 0; k < t->count && k <= i; ++k) acc += t->c[k] * in[i - k];
  out[i] = acc * t->gain;
}

__global__ void fir_tiled(const taps* t, const float* in, float* out, int n) {
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
  for (int k = 0; k < t->count; ++k) acc += t->c[k] * tile[threadIdx.x + max_taps - k];
  out[i] = acc * t->gain;
}

/// The coefficient block on the device and its image on the host.
class coefficient_block {
 public:
  coefficient_block() { detail::expect(cudaMalloc(reinterpret_cast<void**>(&device_), sizeof(taps)), "coefficients"); }
  ~coefficient_block() { cudaFree(device_); }
  coefficient_block(const coefficient_block&) = delete;
  coefficient_block& operator=(const coefficient_block&) = delete;

  const taps* load(const taps& t, cudaStream_t stream) {
    image_ = t;
    detail::expect(cudaMemcpyAsync(device_, &image_, sizeof(taps), cudaMemcpyHostToDevice, stream), "coefficients");
    return device_;
  }

 private:
  taps image_;
  taps* device_ = nullptr;
};

class direct_backend final : public backend {
 public:
  std::string_view name() const override { return "direct"; }
  void run(const taps& t, span<const float> in, span<float> out, cudaStream_t stream) override {
    fir_direct<<<blocks(in.size), block, 0, stream>>>(coefficients_.load(t, stream), in.data, out.data, int(in.size));
    detail::expect(cudaGetLastError(), "fir_direct");
  }

 private:
  coefficient_block coefficients_;
};

class tiled_backend final : public backend {
 public:
  std::string_view name() const override { return "tiled"; }
  void run(const taps& t, span<const float> in, span<float> out, cudaStream_t stream) override {
    fir_tiled<<<blocks(in.size), block, 0, stream>>>(coefficients_.load(t, stream), in.data, out.data, int(in.size));
    detail::expect(cudaGetLastError(), "fir_tiled");
  }

 private:
  coefficient_block coefficients_;
};

}  // namespace

std::unique_ptr<backend> make_backend(method m) {
  if (m == method::direct) return std::make_unique<direct_backend>();
  return std::make_unique<tiled_backend>();
}

}  // namespace firchain
