#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace tiles {

namespace detail {

inline void ok(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

constexpr int kBins = 256;

__global__ void histogram_kernel(const unsigned char* in, std::size_t n, unsigned* bins) {
  __shared__ unsigned local[kBins];
  local[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n; i += stride)
    atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void lut_kernel(const unsigned* bins, std::size_t n, unsigned char* lut) {
  __shared__ unsigned cdf[kBins];
  if (threadIdx.x == 0) {
    unsigned run = 0;
    for (int b = 0; b < kBins; ++b) cdf[b] = run += bins[b];
  }
  __syncthreads();
  lut[threadIdx.x] = static_cast<unsigned char>((255ull * cdf[threadIdx.x]) / n);
}

__global__ void remap_kernel(const unsigned char* in, std::size_t n, const unsigned char* lut, unsigned char* out) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = lut[in[i]];
}

// A stream with the scratch of the tile it works on.
struct Lane {
  cudaStream_t stream = nullptr;
  cudaEvent_t finished = nullptr;
  unsigned* bins = nullptr;
  unsigned char* lut = nullptr;

  Lane() {
    ok(cudaStreamCreate(&stream));
    ok(cudaEventCreateWithFlags(&finished, cudaEventDisableTiming));
    ok(cudaMalloc(reinterpret_cast<void**>(&bins), sizeof(unsigned) * kBins));
    ok(cudaMalloc(reinterpret_cast<void**>(&lut), kBins));
  }
  Lane(Lane&& o) noexcept : stream(o.stream), finished(o.finished), bins(o.bins), lut(o.lut) {
    o.stream = nullptr;
    o.finished = nullptr;
    o.bins = nullptr;
    o.lut = nullptr;
  }
  Lane& operator=(Lane&&) = delete;
  ~Lane() {
    if (stream == nullptr) return;
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaEventDestroy(finished);
    cudaFree(bins);
    cudaFree(lut);
  }
};

struct EqualizeOp {
  void operator()(Lane& lane, const unsigned char* in, std::size_t n, unsigned char* out) const {
    ok(cudaMemsetAsync(lane.bins, 0, sizeof(unsigned) * kBins, lane.stream));
    const unsigned blocks = static_cast<unsigned>((n + kBins - 1) / kBins);
    histogram_kernel<<<std::min(blocks, 64u), kBins, 0, lane.stream>>>(in, n, lane.bins);
    lut_kernel<<<1, kBins, 0, lane.stream>>>(lane.bins, n, lane.lut);
    remap_kernel<<<blocks, kBins, 0, lane.stream>>>(in, n, lane.lut, out);
    ok(cudaGetLastError());
  }
};

}  // namespace detail

// Applies a per-tile operation to consecutive tiles, several of them concurrently.
template <typename TileOp>
class TiledTransform {
 public:
  explicit TiledTransform(int lanes = 4, TileOp op = {}) : op_(op) {
    if (lanes < 1) throw std::invalid_argument("lanes");
    lanes_.reserve(static_cast<std::size_t>(lanes));
    for (int i = 0; i < lanes; ++i) lanes_.emplace_back();
    detail::ok(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  }
  TiledTransform(const TiledTransform&) = delete;
  TiledTransform& operator=(const TiledTransform&) = delete;
  ~TiledTransform() { cudaEventDestroy(fork_); }

  // Ordered in `stream`, before and after.
  void apply(const unsigned char* in, unsigned char* out, std::size_t n, std::size_t tile, cudaStream_t stream) {
    if (tile == 0) throw std::invalid_argument("tile");
    detail::ok(cudaEventRecord(fork_, stream));
    for (auto& lane : lanes_) detail::ok(cudaStreamWaitEvent(lane.stream, fork_, 0));
    std::size_t index = 0;
    for (std::size_t first = 0; first < n; first += tile, ++index)
      op_(lanes_[index % lanes_.size()], in + first, std::min(tile, n - first), out + first);
    for (auto& lane : lanes_) {
      detail::ok(cudaEventRecord(lane.finished, lane.stream));
      detail::ok(cudaStreamWaitEvent(stream, lane.finished, 0));
    }
  }

 private:
  TileOp op_;
  std::vector<detail::Lane> lanes_;
  cudaEvent_t fork_ = nullptr;
};

using TiledEqualizer = TiledTransform<detail::EqualizeOp>;
template class TiledTransform<detail::EqualizeOp>;

}  // namespace tiles
