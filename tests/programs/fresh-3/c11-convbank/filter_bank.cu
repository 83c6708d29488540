#include <algorithm>
#include <stdexcept>
#include <utility>

#include "filter_bank.hpp"

namespace dsp {
namespace {

__constant__ float c_taps[max_taps];

template <bool Rectify>
__global__ void convolve(float const* in, float* out, int n, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float acc = 0.f;
    for (int k = 0; k < count; ++k) {
      int j = i - k;
      if (j >= 0) acc += c_taps[k] * in[j];
    }
    out[i] = Rectify ? fabsf(acc) : acc;
  }
}

template <bool Rectify>
class fir_base : public filter {
 public:
  explicit fir_base(taps t) : taps_(std::move(t)) {
    if (taps_.count < 1 || taps_.count > max_taps) throw std::invalid_argument("taps");
  }

  void apply(float const* in, float* out, int n, cudaStream_t stream) override {
    expect_success(cudaMemcpyToSymbol(c_taps, taps_.value.data(), taps_.count * sizeof(float)));
    int const blocks = std::min((n + 255) / 256, 512);
    convolve<Rectify><<<blocks, 256, 0, stream>>>(in, out, n, taps_.count);
    expect_success(cudaGetLastError());
  }

  std::string_view name() const override { return Rectify ? "rectified-fir" : "fir"; }

 private:
  taps taps_;
};

}  // namespace

std::unique_ptr<filter> make_fir(taps const& t) { return std::make_unique<fir_base<false>>(t); }
std::unique_ptr<filter> make_rectified_fir(taps const& t) { return std::make_unique<fir_base<true>>(t); }

}  // namespace dsp
