// Batched small matrix products spread over several streams, selectable kernel variants.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

static void die(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
  exit(1);
}
#define D(x) die((x), __LINE__)

constexpr int T = 16;

__global__ void gemm_naive(const float* a, const float* b, float* c, int n) {
  int r = blockIdx.y * T + threadIdx.y, q = blockIdx.x * T + threadIdx.x;
  if (r >= n || q >= n) return;
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[r * n + k] * b[k * n + q];
  c[r * n + q] = s;
}

__global__ void gemm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float sa[T][T], sb[T][T];
  int r = blockIdx.y * T + threadIdx.y, q = blockIdx.x * T + threadIdx.x;
  float s = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    sa[threadIdx.y][threadIdx.x] = r < n && k0 + threadIdx.x < n ? a[r * n + k0 + threadIdx.x] : 0.f;
    sb[threadIdx.y][threadIdx.x] = q < n && k0 + threadIdx.y < n ? b[(k0 + threadIdx.y) * n + q] : 0.f;
    __syncthreads();
    for (int k = 0; k < T; ++k) s += sa[threadIdx.y][k] * sb[k][threadIdx.x];
    __syncthreads();
  }
  if (r < n && q < n) c[r * n + q] = s;
}

using Variant = std::function<void(const float*, const float*, float*, int, cudaStream_t)>;

static dim3 grid_for(int n) { return dim3((n + T - 1) / T, (n + T - 1) / T); }

static const std::map<std::string, Variant>& variants() {
  static const std::map<std::string, Variant> table = {
      {"naive",
       [](const float* a, const float* b, float* c, int n, cudaStream_t s) {
         gemm_naive<<<grid_for(n), dim3(T, T), 0, s>>>(a, b, c, n);
       }},
      {"tiled",
       [](const float* a, const float* b, float* c, int n, cudaStream_t s) {
         gemm_tiled<<<grid_for(n), dim3(T, T), 0, s>>>(a, b, c, n);
       }},
  };
  return table;
}

struct Pool {
  std::vector<cudaStream_t> lanes;
  std::vector<cudaEvent_t> tails;
  cudaEvent_t t0{}, t1{};
  explicit Pool(int n) : lanes(n), tails(n) {
    for (auto& s : lanes) D(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (auto& e : tails) D(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    D(cudaEventCreate(&t0));
    D(cudaEventCreate(&t1));
  }
  ~Pool() {
    for (auto s : lanes) cudaStreamDestroy(s);
    for (auto e : tails) cudaEventDestroy(e);
    cudaEventDestroy(t0);
    cudaEventDestroy(t1);
  }
  void fork() {
    D(cudaEventRecord(t0, lanes[0]));
    for (size_t i = 1; i < lanes.size(); ++i) D(cudaStreamWaitEvent(lanes[i], t0, 0));
  }
  void join() {
    for (size_t i = 1; i < lanes.size(); ++i) D(cudaEventRecord(tails[i], lanes[i]));
    for (size_t i = 1; i < lanes.size(); ++i) D(cudaStreamWaitEvent(lanes[0], tails[i], 0));
    D(cudaEventRecord(t1, lanes[0]));
    D(cudaStreamSynchronize(lanes[0]));
  }
  float elapsed() {
    float ms = 0;
    D(cudaEventElapsedTime(&ms, t0, t1));
    return ms;
  }
};

struct Batch {
  int n, count;
  float *a{}, *b{}, *c{};
  Batch(int n_, int count_) : n(n_), count(count_) {
    size_t total = size_t(n) * n * count;
    std::vector<float> h(total);
    for (size_t i = 0; i < total; ++i) h[i] = float(i % 13) * 0.1f;
    D(cudaMalloc(&a, total * 4));
    D(cudaMalloc(&b, total * 4));
    D(cudaMalloc(&c, total * 4));
    D(cudaMemcpy(a, h.data(), total * 4, cudaMemcpyHostToDevice));
    D(cudaMemcpy(b, h.data(), total * 4, cudaMemcpyHostToDevice));
    D(cudaDeviceSynchronize());
  }
  ~Batch() {
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
  }
};

static float run_once(const Variant& v, Batch& m, Pool& p) {
  p.fork();
  size_t stride = size_t(m.n) * m.n;
  for (int i = 0; i < m.count; ++i) v(m.a + i * stride, m.b + i * stride, m.c + i * stride, m.n, p.lanes[(m.count - 1 - i) % p.lanes.size()]);
  D(cudaGetLastError());
  p.join();
  return p.elapsed();
}

int main(int argc, char** argv) {
  int n = 256, count = 65, lanes = 4, reps = 10;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string k = argv[i];
    int v = atoi(argv[i + 1]);
    if (k == "-n") n = v;
    if (k == "-b") count = v;
    if (k == "-s") lanes = std::max(1, v);
    if (k == "-r") reps = std::max(1, v);
  }
  Batch m(n, count);
  Pool p(lanes);
  for (auto& [name, fn] : variants()) {
    run_once(fn, m, p);
    std::vector<float> t;
    for (int r = 0; r < reps; ++r) t.push_back(run_once(fn, m, p));
    std::nth_element(t.begin(), t.begin() + t.size() / 2, t.end());
    float ms = t[t.size() / 2];
    printf("%-6s median %.3f ms  %.1f GFLOP/s\n", name.c_str(), ms, 2.0 * n * n * n * count / ms * 1e-6);
  }
  return 0;
}
