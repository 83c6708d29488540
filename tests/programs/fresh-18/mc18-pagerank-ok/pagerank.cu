/* PageRank (pull, CSR) benchmark in the style of graph mini-apps. */
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/system/cuda/execution_policy.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK_CUDA(call)                                                           \
  do {                                                                             \
    cudaError_t st = (call);                                                       \
    if (st != cudaSuccess) {                                                       \
      fprintf(stderr, "%s failed (%d): %s\n", #call, st, cudaGetErrorString(st));  \
      exit(EXIT_FAILURE);                                                          \
    }                                                                              \
  } while (0)

using Clock = std::chrono::steady_clock;

__global__ void contrib_kernel(const float* rank, const int* outdeg, float* contrib, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) contrib[v] = outdeg[v] ? rank[v] / outdeg[v] : 0.f;
}

__global__ void pull_kernel(const int* row, const int* col, const float* contrib, const float* old, float* rank,
                            float* diff, int n, float d) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float s = 0;
  for (int e = row[v]; e < row[v + 1]; ++e) s += contrib[col[e]];
  float r = (1.f - d) / n + d * s;
  rank[v] = r;
  if (diff) atomicAdd(diff, fabsf(r - old[v]));
}

struct Csr {
  thrust::device_vector<int> row, col, outdeg;
  int n = 0;
  size_t m = 0;
};

static Csr make_graph(int n, int deg) {
  std::mt19937 rng(42);
  std::geometric_distribution<int> skew(3.0 / n);
  thrust::host_vector<int> row(n + 1), col(size_t(n) * deg), out(n, 0);
  for (int v = 0; v <= n; ++v) row[v] = v * deg;
  for (size_t e = 0; e < col.size(); ++e) {
    int u = skew(rng) % n;
    col[e] = u;
    ++out[u];
  }
  Csr g;
  g.row = row;
  g.col = col;
  g.outdeg = out;
  g.n = n;
  g.m = col.size();
  return g;
}

template <class V>
static auto raw(V& v) {
  return thrust::raw_pointer_cast(v.data());
}

struct IterStat {
  double ms;
  float residual;
};

class PageRank {
 public:
  PageRank(const Csr& g, float damping, int check_every)
      : g_(g), d_(damping), every_(check_every), a_(g.n), b_(g.n), contrib_(g.n), diff_(1) {
    CHECK_CUDA(cudaStreamCreate(&s_));
    CHECK_CUDA(cudaMallocHost(&h_diff_, sizeof(float)));
  }
  ~PageRank() {
    cudaFreeHost(h_diff_);
    cudaStreamDestroy(s_);
  }
  std::vector<IterStat> run(float tol, int max_iter) {
    thrust::fill(thrust::cuda::par.on(s_), a_.begin(), a_.end(), 1.f / g_.n);
    CHECK_CUDA(cudaStreamSynchronize(s_));
    std::vector<IterStat> stats;
    for (int it = 1; it <= max_iter; ++it) {
      auto t0 = Clock::now();
      bool check = it % every_ == 0;
      iterate(check);
      CHECK_CUDA(cudaStreamSynchronize(s_));
      double ms = std::chrono::duration<double, std::milli>(Clock::now() - t0).count();
      stats.push_back({ms, check ? residual() : NAN});
      a_.swap(b_);
      if (check && stats.back().residual < tol) break;
    }
    CHECK_CUDA(cudaStreamSynchronize(s_));
    return stats;
  }
  float top() {
    thrust::host_vector<float> h = a_;
    return *std::max_element(h.begin(), h.end());
  }

 private:
  void iterate(bool check) {
    int grid = (g_.n + 255) / 256;
    float* diff = check ? raw(diff_) : nullptr;
    if (check) CHECK_CUDA(cudaMemsetAsync(diff, 0, sizeof(float), s_));
    contrib_kernel<<<grid, 256, 0, s_>>>(raw(a_), raw(g_.outdeg), raw(contrib_), g_.n);
    pull_kernel<<<grid, 256, 0, s_>>>(raw(g_.row), raw(g_.col), raw(contrib_), raw(a_), raw(b_), diff, g_.n, d_);
    CHECK_CUDA(cudaGetLastError());
  }
  float residual() {
    CHECK_CUDA(cudaMemcpyAsync(h_diff_, raw(diff_), sizeof(float), cudaMemcpyDeviceToHost, s_));
    CHECK_CUDA(cudaStreamSynchronize(s_));
    return *h_diff_;
  }
  const Csr& g_;
  float d_;
  int every_;
  thrust::device_vector<float> a_, b_, contrib_, diff_;
  cudaStream_t s_{};
  float* h_diff_{};
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
  int deg = argc > 2 ? atoi(argv[2]) : 16;
  Csr g = make_graph(n, deg);
  PageRank pr(g, 0.85f, 5);
  pr.run(1e-5f, 5);
  auto stats = pr.run(1e-5f, 100);
  double best = 1e30, total = 0;
  for (auto& s : stats) {
    best = std::min(best, s.ms);
    total += s.ms;
  }
  printf("iterations %zu  max rank %.3e\n", stats.size(), pr.top());
  printf("best %.4f ms  mean %.4f ms  %.2f GTEPS\n", best, total / stats.size(), g.m * stats.size() / total * 1e-6);
  return 0;
}
