// lane_map.cu - elementwise map and zip spread over several internal streams.
//
// LaneMap splits the range into slices and runs them on private lanes. To the caller
// a call looks like one ordinary operation on `stream`: it starts after what is
// already enqueued there, and what is enqueued afterwards sees the result. The
// functor is any copyable type with a __device__ operator(). One host thread at a time.
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace lanes {

class Error : public std::runtime_error {
 public:
  explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorString(e)), code(e) {}
  const cudaError_t code;
};

static void expect(cudaError_t e) {
  if (e != cudaSuccess) throw Error(e);
}

template <typename T, typename F>
__global__ void map_slice(const T* in, T* out, std::size_t n, F f) {
  std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = f(in[i]);
}

template <typename T, typename F>
__global__ void zip_slice(const T* a, const T* b, T* out, std::size_t n, F f) {
  std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = f(a[i], b[i]);
}

class LaneMap {
 public:
  explicit LaneMap(int lanes = 4) {
    if (lanes < 1) throw std::invalid_argument("lanes");
    lanes_.resize(lanes);
    for (Lane& l : lanes_) {
      expect(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
      expect(cudaEventCreateWithFlags(&l.done, cudaEventDisableTiming));
    }
    expect(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  }

  ~LaneMap() {
    for (Lane& l : lanes_) {
      cudaStreamSynchronize(l.stream);
      cudaEventDestroy(l.done);
      cudaStreamDestroy(l.stream);
    }
    cudaEventDestroy(fork_);
  }

  LaneMap(const LaneMap&) = delete;
  LaneMap& operator=(const LaneMap&) = delete;

  // out[i] = f(in[i]); in == out is allowed.
  template <typename T, typename F>
  void map(const T* in, T* out, std::size_t n, F f, cudaStream_t stream) {
    spread(n, stream, [&](std::size_t at, std::size_t len, cudaStream_t s) {
      map_slice<T, F><<<grid_for(len), kBlock, 0, s>>>(in + at, out + at, len, f);
    });
  }

  // out[i] = f(a[i], b[i]); out may be a or b.
  template <typename T, typename F>
  void zip(const T* a, const T* b, T* out, std::size_t n, F f, cudaStream_t stream) {
    spread(n, stream, [&](std::size_t at, std::size_t len, cudaStream_t s) {
      zip_slice<T, F><<<grid_for(len), kBlock, 0, s>>>(a + at, b + at, out + at, len, f);
    });
  }

 private:
  struct Lane {
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
  };
  static constexpr int kBlock = 256;

  static unsigned grid_for(std::size_t n) {
    std::size_t g = (n + kBlock - 1) / kBlock;
    return static_cast<unsigned>(g > 1024 ? 1024 : g);
  }

  template <typename Launch>
  void spread(std::size_t n, cudaStream_t stream, Launch&& launch) {
    if (n == 0) return;
    const std::size_t slice = (n + lanes_.size() - 1) / lanes_.size();
    expect(cudaEventRecord(fork_, stream));
    std::size_t at = 0;
    for (Lane& l : lanes_) {
      if (at >= n) break;
      const std::size_t len = n - at < slice ? n - at : slice;
      expect(cudaStreamWaitEvent(l.stream, fork_, 0));
      launch(at, len, l.stream);
      expect(cudaGetLastError());
      expect(cudaEventRecord(l.done, l.stream));
      expect(cudaStreamWaitEvent(stream, l.done, 0));
      at += len;
    }
  }

  std::vector<Lane> lanes_;
  cudaEvent_t fork_ = nullptr;
};

struct Axpb {
  float a, b;
  __device__ float operator()(float x) const { return a * x + b; }
};
struct Plus {
  __device__ float operator()(float x, float y) const { return x + y; }
};

template void LaneMap::map<float, Axpb>(const float*, float*, std::size_t, Axpb, cudaStream_t);
template void LaneMap::zip<float, Plus>(const float*, const float*, float*, std::size_t, Plus,
                                        cudaStream_t);

}  // namespace lanes
