// tile_pipe.cu - header-like namespace: histogramming of host tiles on several lanes.
//
// tile_pipe::run() enqueues every tile on the next lane in turn so that the upload of
// one tile, the counting of another and the download of a third overlap.
// tile_pipe::finish() waits for all of them. Host buffers must be pinned and left
// alone until finish(). Single host thread.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace tile_pipe {

constexpr int kBins = 256;

namespace detail {

inline void verify(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

static __global__ void count_tile(const std::uint16_t* __restrict__ tile, int n, int shift,
                                  unsigned* __restrict__ bins) {
  __shared__ unsigned s[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[(tile[i] >> shift) & (kBins - 1)], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    if (s[b]) atomicAdd(&bins[b], s[b]);
}

struct Lane {
  cudaStream_t stream = nullptr;
  std::uint16_t* tile = nullptr;
  unsigned* bins = nullptr;

  explicit Lane(int tile_elems) {
    verify(cudaStreamCreate(&stream));
    verify(cudaMalloc(&tile, sizeof(std::uint16_t) * tile_elems));
    verify(cudaMalloc(&bins, sizeof(unsigned) * kBins));
  }
  ~Lane() {
    cudaStreamSynchronize(stream);
    cudaFree(bins);
    cudaFree(tile);
    cudaStreamDestroy(stream);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
};

}  // namespace detail

class Pipe {
 public:
  Pipe(int tile_elems, int lanes, int shift = 8) : elems_(tile_elems), shift_(shift) {
    if (tile_elems < 1 || lanes < 1) throw std::invalid_argument("Pipe");
    for (int i = 0; i < lanes; ++i)
      lanes_.push_back(std::make_unique<detail::Lane>(tile_elems));
  }

  int tile_elems() const { return elems_; }

  // h_tile[0..n) -> h_bins[0..kBins), on the next lane.
  void submit(const std::uint16_t* h_tile, int n, unsigned* h_bins) {
    using detail::verify;
    if (n < 0 || n > elems_) throw std::out_of_range("tile");
    detail::Lane& l = *lanes_[turn_];
    turn_ = (turn_ + 1) % lanes_.size();

    if (n > 0)
      verify(cudaMemcpyAsync(l.tile, h_tile, sizeof(std::uint16_t) * n,
                             cudaMemcpyHostToDevice, l.stream));
    verify(cudaMemsetAsync(l.bins, 0, sizeof(unsigned) * kBins, l.stream));
    if (n > 0) {
      int grid = (n + 1023) / 1024;
      if (grid > 128) grid = 128;
      detail::count_tile<<<grid, 256, 0, l.stream>>>(l.tile, n, shift_, l.bins);
      verify(cudaGetLastError());
    }
    verify(cudaMemcpyAsync(h_bins, l.bins, sizeof(unsigned) * kBins, cudaMemcpyDeviceToHost,
                           l.stream));
  }

  void wait() {
    for (auto& l : lanes_) detail::verify(cudaStreamSynchronize(l->stream));
  }

 private:
  int elems_, shift_;
  std::size_t turn_ = 0;
  std::vector<std::unique_ptr<detail::Lane>> lanes_;
};

// Cuts h_data into tiles; row t of h_bins (kBins wide) receives the counts of tile t.
inline int run(Pipe& pipe, const std::uint16_t* h_data, std::size_t total, unsigned* h_bins) {
  int t = 0;
  for (std::size_t at = 0; at < total; ++t) {
    const std::size_t left = total - at;
    const int n = left < std::size_t(pipe.tile_elems()) ? int(left) : pipe.tile_elems();
    pipe.submit(h_data + at, n, h_bins + std::size_t(t) * kBins);
    at += n;
  }
  return t;
}

inline void finish(Pipe& pipe) { pipe.wait(); }

}  // namespace tile_pipe
