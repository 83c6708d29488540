// Beam search decoder: scoring on the GPU, hypothesis pruning on the host.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#define CK(x)                                                                   \
  do {                                                                          \
    cudaError_t e_ = (x);                                                       \
    if (e_ != cudaSuccess) {                                                    \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

struct Config {
  int beam = 8;
  int vocab = 4096;
  int steps = 24;
  int topk = 16;
};

__global__ void score_kernel(const int* last, float* logits, int vocab, int step) {
  int b = blockIdx.y;
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vocab) return;
  unsigned h = (unsigned)(last[b] * 2654435761u) ^ (unsigned)(v * 40503u + step * 97u);
  h ^= h >> 13;
  h *= 0x5bd1e995u;
  h ^= h >> 15;
  logits[b * vocab + v] = -(float)(h & 0xffff) / 4096.0f;
}

__global__ void topk_kernel(float* logits, float* score, int* index, int vocab, int k) {
  if (threadIdx.x != 0) return;
  float* row = logits + blockIdx.x * vocab;
  for (int j = 0; j < k; ++j) {
    int best = 0;
    for (int v = 1; v < vocab; ++v)
      if (row[v] > row[best]) best = v;
    score[blockIdx.x * k + j] = row[best];
    index[blockIdx.x * k + j] = best;
    row[best] = -INFINITY;
  }
}

struct Hypothesis {
  float logp = 0.f;
  std::vector<int> tokens;
};

class Decoder {
 public:
  explicit Decoder(const Config& c) : cfg_(c) {
    CK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CK(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    size_t cand = size_t(c.beam) * c.topk;
    CK(cudaMalloc(&d_last_, c.beam * sizeof(int)));
    CK(cudaMalloc(&d_logits_, size_t(c.beam) * c.vocab * sizeof(float)));
    CK(cudaMalloc(&d_score_, cand * sizeof(float)));
    CK(cudaMalloc(&d_index_, cand * sizeof(int)));
    CK(cudaMallocHost(&h_last_, c.beam * sizeof(int)));
    CK(cudaMallocHost(&h_score_, cand * sizeof(float)));
    CK(cudaMallocHost(&h_index_, cand * sizeof(int)));
  }
  ~Decoder() {
    cudaStreamSynchronize(stream_);
    cudaFree(d_last_);
    cudaFree(d_logits_);
    cudaFree(d_score_);
    cudaFree(d_index_);
    cudaFreeHost(h_last_);
    cudaFreeHost(h_score_);
    cudaFreeHost(h_index_);
    cudaEventDestroy(ready_);
    cudaStreamDestroy(stream_);
  }

  Hypothesis decode(int bos) {
    std::vector<Hypothesis> beams(1);
    beams[0].tokens.push_back(bos);
    for (int s = 0; s < cfg_.steps; ++s) {
      expand(beams, s);
      fetch(int(beams.size()));
      beams = prune(beams);
    }
    return beams.front();
  }

 private:
  void expand(const std::vector<Hypothesis>& beams, int step) {
    int n = int(beams.size());
    for (int i = 0; i < n; ++i) h_last_[i] = beams[i].tokens.back();
    CK(cudaMemcpyAsync(d_last_, h_last_, n * sizeof(int), cudaMemcpyHostToDevice, stream_));
    dim3 grid((cfg_.vocab + 255) / 256, n);
    score_kernel<<<grid, 256, 0, stream_>>>(d_last_, d_logits_, cfg_.vocab, step);
    topk_kernel<<<n, 32, 0, stream_>>>(d_logits_, d_score_, d_index_, cfg_.vocab, cfg_.topk);
    CK(cudaGetLastError());
  }

  void fetch(int n) {
    size_t cand = size_t(n) * cfg_.topk;
    CK(cudaMemcpyAsync(h_score_, d_score_, cand * sizeof(float), cudaMemcpyDeviceToHost, stream_));
    CK(cudaMemcpyAsync(h_index_, d_index_, cand * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    CK(cudaEventRecord(ready_, stream_));
  }

  std::vector<Hypothesis> prune(const std::vector<Hypothesis>& beams) {
    CK(cudaEventSynchronize(ready_));
    int n = int(beams.size()) * cfg_.topk;
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    auto total = [&](int c) { return beams[c / cfg_.topk].logp + h_score_[c]; };
    int keep = std::min(n, cfg_.beam);
    std::partial_sort(order.begin(), order.begin() + keep, order.end(),
                      [&](int a, int b) { return total(a) > total(b); });
    std::vector<Hypothesis> next;
    next.reserve(keep);
    for (int i = 0; i < keep; ++i) {
      int c = order[i];
      Hypothesis h = beams[c / cfg_.topk];
      h.logp = total(c);
      h.tokens.push_back(h_index_[c]);
      next.push_back(std::move(h));
    }
    return next;
  }

  Config cfg_;
  cudaStream_t stream_{};
  cudaEvent_t ready_{};
  int *d_last_{}, *d_index_{}, *h_last_{}, *h_index_{};
  float *d_logits_{}, *d_score_{}, *h_score_{};
};

int main(int argc, char** argv) {
  Config cfg;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string a = argv[i];
    if (a == "--beam") cfg.beam = atoi(argv[i + 1]);
    if (a == "--steps") cfg.steps = atoi(argv[i + 1]);
    if (a == "--topk") cfg.topk = atoi(argv[i + 1]);
  }
  Decoder dec(cfg);
  for (int bos : {1, 17, 99}) {
    Hypothesis best = dec.decode(bos);
    printf("bos %d logp %.4f:", bos, best.logp);
    for (int t : best.tokens) printf(" %d", t);
    printf("\n");
  }
  return 0;
}
