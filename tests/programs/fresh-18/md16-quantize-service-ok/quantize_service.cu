#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace quant {

#define QS_CUDA(call)                                                             \
  do {                                                                            \
    cudaError_t qs_err_ = (call);                                                 \
    if (qs_err_ != cudaSuccess) ::quant::raise(qs_err_, #call, __FILE__, __LINE__); \
  } while (0)

[[noreturn]] inline void raise(cudaError_t e, const char* what, const char* file, int line) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + " " + what + ": " +
                           cudaGetErrorString(e));
}

#define QS_CHECK_KERNEL(stream)             \
  do {                                      \
    QS_CUDA(cudaGetLastError());            \
    (void)(stream);                         \
  } while (0)

// ---- policies ---------------------------------------------------------------------

struct Int8Symmetric {
  using storage = std::int8_t;
  static constexpr float kMax = 127.f;
  __device__ static storage pack(float v) {
    return static_cast<storage>(fminf(fmaxf(rintf(v), -kMax), kMax));
  }
};

struct UInt8Centered {
  using storage = std::uint8_t;
  static constexpr float kMax = 127.f;
  __device__ static storage pack(float v) {
    return static_cast<storage>(fminf(fmaxf(rintf(v), -kMax), kMax) + 128.f);
  }
};

namespace kernels {

constexpr int kThreads = 256;

// One block per row: absolute maximum, stored as the row's scale.
template <typename Policy>
__global__ void row_scale(const float* x, int cols, float* scale) {
  __shared__ float part[kThreads];
  const float* row = x + static_cast<std::size_t>(blockIdx.x) * cols;
  float m = 0.f;
  for (int c = threadIdx.x; c < cols; c += kThreads) m = fmaxf(m, fabsf(row[c]));
  part[threadIdx.x] = m;
  __syncthreads();
  for (int w = kThreads / 2; w > 0; w /= 2) {
    if (threadIdx.x < w) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + w]);
    __syncthreads();
  }
  if (threadIdx.x == 0) scale[blockIdx.x] = part[0] > 0.f ? part[0] / Policy::kMax : 1.f;
}

template <typename Policy>
__global__ void encode(const float* x, int cols, const float* scale, typename Policy::storage* q) {
  const float inv = 1.f / scale[blockIdx.x];
  const std::size_t base = static_cast<std::size_t>(blockIdx.x) * cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) q[base + c] = Policy::pack(x[base + c] * inv);
}

template <typename Policy>
__global__ void decode(const typename Policy::storage* q, int cols, const float* scale, float offset, float* x) {
  const std::size_t base = static_cast<std::size_t>(blockIdx.x) * cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    x[base + c] = (static_cast<float>(q[base + c]) - offset) * scale[blockIdx.x];
}

}  // namespace kernels

struct Shape {
  int rows;
  int cols;
};

// Row-wise quantisation. run() and restore() only submit work to `stream` and may be
// recorded into a CUDA graph.
template <typename Policy>
class Quantizer {
 public:
  using storage = typename Policy::storage;

  void run(const float* x, Shape shape, storage* q, float* scales, cudaStream_t stream = nullptr) const {
    if (!valid(shape)) return;
    compute_scales(x, shape, scales, stream);
    kernels::encode<Policy><<<shape.rows, kernels::kThreads, 0, stream>>>(x, shape.cols, scales, q);
    QS_CHECK_KERNEL(stream);
  }

  void restore(const storage* q, Shape shape, const float* scales, float* x, cudaStream_t stream = nullptr) const {
    if (!valid(shape)) return;
    const float offset = static_cast<storage>(-1) > static_cast<storage>(0) ? 128.f : 0.f;
    kernels::decode<Policy><<<shape.rows, kernels::kThreads, 0, stream>>>(q, shape.cols, scales, offset, x);
    QS_CHECK_KERNEL(stream);
  }

 private:
  static bool valid(Shape s) {
    if (s.rows < 0 || s.cols < 0) throw std::invalid_argument("negative shape");
    return s.rows > 0 && s.cols > 0;
  }

  static void compute_scales(const float* x, Shape shape, float* scales, cudaStream_t stream) {
    kernels::row_scale<Policy><<<shape.rows, kernels::kThreads, 0, stream>>>(x, shape.cols, scales);
    QS_CHECK_KERNEL(stream);
  }
};

template class Quantizer<Int8Symmetric>;
template class Quantizer<UInt8Centered>;

}  // namespace quant
