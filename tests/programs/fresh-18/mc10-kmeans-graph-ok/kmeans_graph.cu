// k-means sweep over several k; each k runs as a captured graph with host side convergence test.
#include <cuda_runtime.h>
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace cu {
inline void ok(cudaError_t e, const std::string& where) {
  if (e != cudaSuccess) throw std::runtime_error(where + ": " + cudaGetErrorString(e));
}
struct DeviceDeleter {
  void operator()(void* p) const { cudaFree(p); }
};
template <typename T>
using Ptr = std::unique_ptr<T[], DeviceDeleter>;
template <typename T>
Ptr<T> make(size_t n) {
  void* p = nullptr;
  ok(cudaMalloc(&p, n * sizeof(T)), "cudaMalloc");
  return Ptr<T>(static_cast<T*>(p));
}
}  // namespace cu

template <int D>
__global__ void assign(const float* x, const float* c, int n, int k, float* sum, int* cnt, float* inertia) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = FLT_MAX;
  int arg = 0;
  for (int j = 0; j < k; ++j) {
    float d = 0;
    for (int t = 0; t < D; ++t) {
      float v = x[i * D + t] - c[j * D + t];
      d += v * v;
    }
    if (d < best) best = d, arg = j;
  }
  for (int t = 0; t < D; ++t) atomicAdd(&sum[arg * D + t], x[i * D + t]);
  atomicAdd(&cnt[arg], 1);
  atomicAdd(inertia, best);
}

template <int D>
__global__ void update(float* c, const float* sum, const int* cnt, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= k || cnt[j] == 0) return;
  for (int t = 0; t < D; ++t) c[j * D + t] = sum[j * D + t] / cnt[j];
}

template <int D>
class Workspace {
 public:
  explicit Workspace(int k) { reserve(k); }
  void reserve(int k) {
    if (k <= cap_) return;
    int want = cap_ ? std::max(k, cap_ * 2) : k;
    sum_ = cu::make<float>(size_t(want) * D);
    cnt_ = cu::make<int>(want);
    cap_ = want;
  }
  void clear(int k, cudaStream_t s) {
    cu::ok(cudaMemsetAsync(sum_.get(), 0, sizeof(float) * k * D, s), "clear sum");
    cu::ok(cudaMemsetAsync(cnt_.get(), 0, sizeof(int) * k, s), "clear count");
  }
  float* sum() const { return sum_.get(); }
  int* cnt() const { return cnt_.get(); }

 private:
  cu::Ptr<float> sum_;
  cu::Ptr<int> cnt_;
  int cap_ = 0;
};

template <int D>
class KMeans {
 public:
  KMeans(const std::vector<float>& pts, int kmin, int kmax)
      : n_(int(pts.size() / D)), x_(cu::make<float>(pts.size())), c_(cu::make<float>(size_t(kmax) * D)),
        inertia_(cu::make<float>(1)), ws_(kmin) {
    cu::ok(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking), "stream");
    cu::ok(cudaMallocHost(&h_inertia_, sizeof(float)), "pinned");
    cu::ok(cudaMemcpy(x_.get(), pts.data(), pts.size() * sizeof(float), cudaMemcpyHostToDevice), "points");
    cu::ok(cudaDeviceSynchronize(), "upload");
  }
  ~KMeans() {
    cudaStreamSynchronize(s_);
    cudaFreeHost(h_inertia_);
    cudaStreamDestroy(s_);
  }
  std::pair<float, int> fit(int k, float tol, int max_iter) {
    cu::ok(cudaMemcpyAsync(c_.get(), x_.get(), sizeof(float) * k * D, cudaMemcpyDeviceToDevice, s_), "seed");
    cu::ok(cudaStreamSynchronize(s_), "seed sync");
    ws_.reserve(k);
    cudaGraphExec_t exec = build(k);
    float prev = FLT_MAX;
    int it = 0;
    for (; it < max_iter; ++it) {
      cu::ok(cudaGraphLaunch(exec, s_), "launch");
      cu::ok(cudaStreamSynchronize(s_), "iteration");
      if (std::fabs(prev - *h_inertia_) <= tol * *h_inertia_) break;
      prev = *h_inertia_;
    }
    cudaGraphExecDestroy(exec);
    return {*h_inertia_, it};
  }

 private:
  void iteration(int k) {
    ws_.clear(k, s_);
    cu::ok(cudaMemsetAsync(inertia_.get(), 0, sizeof(float), s_), "clear inertia");
    assign<D><<<(n_ + 127) / 128, 128, 0, s_>>>(x_.get(), c_.get(), n_, k, ws_.sum(), ws_.cnt(), inertia_.get());
    update<D><<<(k + 63) / 64, 64, 0, s_>>>(c_.get(), ws_.sum(), ws_.cnt(), k);
    cu::ok(cudaMemcpyAsync(h_inertia_, inertia_.get(), sizeof(float), cudaMemcpyDeviceToHost, s_), "inertia");
  }
  cudaGraphExec_t build(int k) {
    cudaGraph_t g;
    cudaGraphExec_t e;
    cu::ok(cudaStreamBeginCapture(s_, cudaStreamCaptureModeGlobal), "begin");
    iteration(k);
    cu::ok(cudaStreamEndCapture(s_, &g), "end");
    cu::ok(cudaGraphInstantiateWithFlags(&e, g, 0), "instantiate");
    cudaGraphDestroy(g);
    return e;
  }
  int n_;
  cu::Ptr<float> x_, c_, inertia_;
  Workspace<D> ws_;
  cudaStream_t s_{};
  float* h_inertia_{};
};

int main(int argc, char** argv) try {
  constexpr int D = 4;
  int n = argc > 1 ? std::stoi(argv[1]) : 50000;
  std::mt19937 rng(7);
  std::normal_distribution<float> g(0.f, 0.4f);
  std::vector<float> pts(size_t(n) * D);
  for (size_t i = 0; i < pts.size(); ++i) pts[i] = float((i / D) % 11) + g(rng);
  KMeans<D> km(pts, 4, 32);
  for (int k : {4, 8, 16, 32}) {
    auto [inertia, it] = km.fit(k, 1e-4f, 100);
    std::cout << "k=" << k << " inertia=" << inertia << " iterations=" << it << "\n";
  }
  return 0;
} catch (const std::exception& e) {
  std::cerr << "fatal: " << e.what() << "\n";
  return 1;
}
