// CRTP base that benchmarks multi-stream operators with CUDA events.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CU(x)                                                                   \
  do {                                                                          \
    const cudaError_t rc_ = (x);                                                \
    if (rc_ != cudaSuccess) {                                                   \
      std::fprintf(stderr, "[%s] %s\n", #x, cudaGetErrorString(rc_));           \
      std::abort();                                                             \
    }                                                                           \
  } while (0)

namespace bench {

struct Stats {
  float min_ms = 0, median_ms = 0;
};

// Derived supplies dispatch(stream), which issues the work, and
// collect(stream), which makes `stream` depend on all of it.
template <class Derived>
class TimedOp {
 public:
  TimedOp() {
    CU(cudaEventCreate(&begin_));
    CU(cudaEventCreate(&end_));
  }
  TimedOp(const TimedOp&) = delete;
  ~TimedOp() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  float once(cudaStream_t stream) {
    float ms = 0.f;
    CU(cudaEventRecord(begin_, stream));
    self().dispatch(stream);
    self().collect(stream);
    CU(cudaEventRecord(end_, stream));
    CU(cudaStreamSynchronize(stream));
    CU(cudaEventElapsedTime(&ms, begin_, end_));
    return ms;
  }

  Stats measure(cudaStream_t stream, int warmup, int reps) {
    for (int i = 0; i < warmup; ++i) once(stream);
    std::vector<float> t(reps);
    std::generate(t.begin(), t.end(), [&] { return once(stream); });
    std::sort(t.begin(), t.end());
    return {t.front(), t[t.size() / 2]};
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  cudaEvent_t begin_{}, end_{};
};

__global__ void poly(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i];
    for (int k = 0; k < 200; ++k) v = v * 0.999f + 0.001f;
    x[i] = v;
  }
}

class LanedPoly : public TimedOp<LanedPoly> {
 public:
  LanedPoly(float* x, int n, int lanes) : x_(x), n_(n), lanes_(lanes) {
    CU(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    for (auto& l : lanes_) {
      CU(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
      CU(cudaEventCreateWithFlags(&l.done, cudaEventDisableTiming));
    }
  }
  ~LanedPoly() {
    for (auto& l : lanes_) {
      cudaEventDestroy(l.done);
      cudaStreamDestroy(l.stream);
    }
    cudaEventDestroy(fork_);
  }

  void dispatch(cudaStream_t stream) {
    const int part = n_ / int(lanes_.size());
    CU(cudaEventRecord(fork_, stream));
    for (size_t i = 0; i < lanes_.size(); ++i) {
      CU(cudaStreamWaitEvent(lanes_[i].stream, fork_, 0));
      poly<<<32, 256, 0, lanes_[i].stream>>>(x_ + i * part, part);
      CU(cudaGetLastError());
      CU(cudaEventRecord(lanes_[i].done, lanes_[i].stream));
    }
  }
  void collect(cudaStream_t stream) {
    for (auto& l : lanes_) CU(cudaStreamWaitEvent(stream, l.done, 0));
  }

 private:
  struct Lane { cudaStream_t stream{}; cudaEvent_t done{}; };
  float* x_;
  int n_;
  std::vector<Lane> lanes_;
  cudaEvent_t fork_{};
};

}  // namespace bench

int main() {
  const int n = 1 << 22;
  float* x;
  cudaStream_t s;
  CU(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CU(cudaMalloc(&x, n * sizeof(float)));
  CU(cudaMemsetAsync(x, 0, n * sizeof(float), s));
  for (int lanes : {1, 2, 4}) {
    bench::LanedPoly op(x, n, lanes);
    const bench::Stats st = op.measure(s, 3, 11);
    std::printf("lanes %d: min %.3f ms, median %.3f ms\n", lanes, st.min_ms, st.median_ms);
  }
  CU(cudaFree(x));
  CU(cudaStreamDestroy(s));
  return 0;
}
