// equalize.cu - image operators that can be recorded into CUDA graphs.
//
// enqueue() puts the whole operator on `stream`: it starts behind the work already
// there, and is complete when the stream gets past it. Operators may be recorded by
// stream capture. An operator holds no device memory; use one per host thread.
#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>

namespace img {

struct View {
  const unsigned char* data;
  int count;
};

// Device buffers supplied by the caller; none may overlap.
struct Products {
  float* linear;          // count
  unsigned int* counts;   // 256
  float* curve;           // 256, normalised cumulative histogram
};

class Operator {
 public:
  virtual ~Operator() = default;
  virtual void enqueue(const View& in, const Products& out, cudaStream_t stream) = 0;
};

std::unique_ptr<Operator> make_analyser(float gamma);

namespace {

void ensure(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

__global__ void to_linear(const unsigned char* in, float* out, int n, float gamma) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(in[i] * (1.f / 255.f), gamma);
}

__global__ void count_levels(const unsigned char* in, unsigned int* counts, int n) {
  __shared__ unsigned int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  if (local[threadIdx.x]) atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

__global__ void cumulate(const unsigned int* counts, float* curve, int n) {
  __shared__ unsigned int s[256];
  const int t = threadIdx.x;
  s[t] = counts[t];
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    unsigned int v = t >= d ? s[t - d] : 0u;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  curve[t] = static_cast<float>(s[t]) / n;
}

class Analyser final : public Operator {
 public:
  explicit Analyser(float gamma) : gamma_(gamma) {
    ensure(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    ensure(cudaEventCreateWithFlags(&begin_, cudaEventDisableTiming));
    ensure(cudaEventCreateWithFlags(&end_, cudaEventDisableTiming));
  }

  ~Analyser() override {
    cudaStreamSynchronize(side_);
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
    cudaStreamDestroy(side_);
  }

  void enqueue(const View& in, const Products& out, cudaStream_t stream) override {
    if (in.count <= 0) throw std::invalid_argument("empty image");
    const int n = in.count;

    ensure(cudaEventRecord(begin_, stream));
    ensure(cudaStreamWaitEvent(side_, begin_, 0));

    // side: statistics
    ensure(cudaMemsetAsync(out.counts, 0, 256 * sizeof(unsigned int), side_));
    const int blocks = n < 256 * 64 ? (n + 255) / 256 : 64;
    count_levels<<<blocks, 256, 0, side_>>>(in.data, out.counts, n);
    ensure(cudaGetLastError());
    cumulate<<<1, 256, 0, side_>>>(out.counts, out.curve, n);
    ensure(cudaGetLastError());
    ensure(cudaEventRecord(end_, side_));

    // main: pixels
    to_linear<<<(n + 255) / 256, 256, 0, stream>>>(in.data, out.linear, n, gamma_);
    ensure(cudaGetLastError());

    ensure(cudaStreamWaitEvent(stream, end_, 0));
  }

 private:
  float gamma_;
  cudaStream_t side_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace

std::unique_ptr<Operator> make_analyser(float gamma) {
  return std::unique_ptr<Operator>(new Analyser(gamma));
}

}  // namespace img
