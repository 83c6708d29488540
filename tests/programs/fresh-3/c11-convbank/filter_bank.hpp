#pragma once
#include <cuda_runtime.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace dsp {

class cuda_category_t : public std::error_category {
 public:
  char const* name() const noexcept override { return "cuda"; }
  std::string message(int ev) const override { return cudaGetErrorName(static_cast<cudaError_t>(ev)); }
};
inline cuda_category_t const cuda_category{};

inline void expect_success(cudaError_t e) {
  if (e != cudaSuccess) throw std::system_error(static_cast<int>(e), cuda_category);
}

inline constexpr int max_taps = 64;

struct taps {
  std::array<float, max_taps> value{};
  int count = 0;
};

// Interface of the FIR filters in the bank. All work goes to the stream passed to apply().
class filter {
 public:
  virtual ~filter() = default;
  virtual void apply(float const* in, float* out, int n, cudaStream_t stream) = 0;
  virtual std::string_view name() const = 0;
};

// Direct-form FIR with run-time coefficients.
std::unique_ptr<filter> make_fir(taps const& t);
// FIR followed by full-wave rectification.
std::unique_ptr<filter> make_rectified_fir(taps const& t);

}  // namespace dsp
