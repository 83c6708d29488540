// A one-dimensional shallow-water column model in fixed point; a time step is
// recorded once and replayed for the length of the forecast.
#include <vector>

#include "rain.cuh"

namespace weather {

__global__ void flux(const int* h, int* f, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) f[i] = (h[i] - h[(i + 1) % cells]) / 4;
}

__global__ void advance(int* h, const int* f, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) h[i] += f[(i + cells - 1) % cells] - f[i];
}

class Forecast {
 public:
  explicit Forecast(const std::vector<int>& first_guess)
      : cells_(static_cast<int>(first_guess.size())),
        height_(gpu::array<int>(first_guess.size())),
        flux_(gpu::array<int>(first_guess.size())),
        rain_(cells_, 12) {
    gpu::require(cudaMemcpy(height_.get(), first_guess.data(), cells_ * sizeof(int), cudaMemcpyHostToDevice));
    gpu::require(cudaDeviceSynchronize());
    rain_.balance(height_.get());
  }
  ~Forecast() {
    if (step_) cudaGraphExecDestroy(step_);
  }

  void run(int steps) {
    if (!step_) record();
    for (int i = 0; i < steps; ++i) gpu::require(cudaGraphLaunch(step_, main_.get()));
    main_.wait();
  }

  std::vector<int> height() const {
    std::vector<int> out(cells_);
    gpu::require(cudaMemcpy(out.data(), height_.get(), cells_ * sizeof(int), cudaMemcpyDeviceToHost));
    return out;
  }
  int rate() const { return rain_.rate(); }

 private:
  void record() {
    const int grid = (cells_ + 127) / 128;
    cudaGraph_t g = nullptr;
    gpu::require(cudaStreamBeginCapture(main_.get(), cudaStreamCaptureModeThreadLocal));
    flux<<<grid, 128, 0, main_.get()>>>(height_.get(), flux_.get(), cells_);
    advance<<<grid, 128, 0, main_.get()>>>(height_.get(), flux_.get(), cells_);
    rain_.fall(height_.get());
    gpu::require(cudaStreamEndCapture(main_.get(), &g));
    gpu::require(cudaGraphInstantiate(&step_, g, 0));
    gpu::require(cudaGraphDestroy(g));
  }

  int cells_;
  gpu::Array<int> height_;
  gpu::Array<int> flux_;
  gpu::Lane main_;
  Rain rain_;
  cudaGraphExec_t step_ = nullptr;
};

std::vector<int> reference(std::vector<int> h, int steps, int rate) {
  const int n = static_cast<int>(h.size());
  auto fall = [&] {
    for (int& v : h) v = v - (v >> 6) + rate;
  };
  fall();
  std::vector<int> f(n);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i) f[i] = (h[i] - h[(i + 1) % n]) / 4;
    for (int i = 0; i < n; ++i) h[i] += f[(i + n - 1) % n] - f[i];
    fall();
  }
  return h;
}

}  // namespace weather

int main() {
  std::vector<int> guess(3000);
  for (size_t i = 0; i < guess.size(); ++i) guess[i] = 4000 + static_cast<int>(i * i % 997);

  weather::Forecast forecast(guess);
  forecast.run(40);
  forecast.run(20);

  const std::vector<int> got = forecast.height();
  const std::vector<int> want = weather::reference(guess, 60, forecast.rate());
  int wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) wrong += got[i] != want[i];
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
