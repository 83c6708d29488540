// window_plan.cu - windowing of fixed-length frames, window chosen by policy.
//
// A plan is made for one frame length. enqueue() is asynchronous on the stream given,
// may be used with several streams at once, and may be recorded by stream capture in
// any capture mode directly after construction. The plan must outlive the work (and
// the graphs) made with it. Construction blocks; it is not for use during capture.
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace win {

class Failure : public std::runtime_error {
 public:
  Failure(const char* where, cudaError_t e)
      : std::runtime_error(std::string(where) + ": " + cudaGetErrorString(e)), code_(e) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

#define WIN_OK(x)                                 \
  do {                                            \
    const cudaError_t win_e = (x);                \
    if (win_e != cudaSuccess) throw Failure(#x, win_e); \
  } while (0)

struct Hann {
  static double weight(int i, int n) {
    return 0.5 - 0.5 * std::cos(2.0 * 3.14159265358979323846 * i / (n - 1));
  }
};

struct Blackman {
  static double weight(int i, int n) {
    const double a = 2.0 * 3.14159265358979323846 * i / (n - 1);
    return 0.42 - 0.5 * std::cos(a) + 0.08 * std::cos(2.0 * a);
  }
};

struct StoreOnly {
  __device__ static float apply(float v) { return v; }
};

struct StorePower {
  __device__ static float apply(float v) { return v * v; }
};

template <typename Epilogue>
__global__ void window_frames(const float* __restrict__ in, float* __restrict__ out,
                              const float* __restrict__ table, int frame, std::size_t total) {
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < total; i += step)
    out[i] = Epilogue::apply(in[i] * table[i % frame]);
}

template <typename Window, typename Epilogue = StoreOnly>
class WindowPlan {
 public:
  explicit WindowPlan(int frame) : frame_(frame) {
    if (frame < 2) throw std::invalid_argument("frame length");
    build_table();
  }

  ~WindowPlan() {
    if (table_) cudaFree(table_);
  }

  WindowPlan(const WindowPlan&) = delete;
  WindowPlan& operator=(const WindowPlan&) = delete;

  int frame() const { return frame_; }

  // Applies the window to `frames` consecutive frames. in == out is not allowed.
  void enqueue(const float* in, float* out, int frames, cudaStream_t stream) {
    if (frames < 0) throw std::invalid_argument("frames");
    if (frames == 0) return;
    const std::size_t total = std::size_t(frames) * frame_;
    const std::size_t want = (total + kThreads - 1) / kThreads;
    const unsigned grid = static_cast<unsigned>(want < kMaxGrid ? want : kMaxGrid);
    window_frames<Epilogue><<<grid, kThreads, 0, stream>>>(in, out, table_, frame_, total);
    WIN_OK(cudaGetLastError());
  }

 private:
  static constexpr int kThreads = 256;
  static constexpr std::size_t kMaxGrid = 2048;

  void build_table() {
    std::vector<float> host(frame_);
    for (int i = 0; i < frame_; ++i) host[i] = static_cast<float>(Window::weight(i, frame_));
    float* t = nullptr;
    WIN_OK(cudaMalloc(&t, sizeof(float) * frame_));
    cudaError_t e = cudaMemcpy(t, host.data(), sizeof(float) * frame_, cudaMemcpyHostToDevice);
    if (e == cudaSuccess) e = cudaStreamSynchronize(cudaStreamLegacy);
    if (e != cudaSuccess) {
      cudaFree(t);
      throw Failure("window table", e);
    }
    table_ = t;
  }

  int frame_;
  float* table_ = nullptr;
};

template class WindowPlan<Hann>;
template class WindowPlan<Blackman, StorePower>;

}  // namespace win
