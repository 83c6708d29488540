#include "ops.hpp"

namespace {

constexpr int kDim = 8192;
constexpr int kSteps = 12;

int queryAt(int step, int i) { return (i * 5 + step) % 23; }
int keyAt(int step, int i) { return (i + step * 7) % 19; }

struct Streams {
  cudaStream_t load{};
  cudaStream_t score[2]{};
  Streams() {
    mt::guard(cudaStreamCreateWithFlags(&load, cudaStreamNonBlocking));
    for (auto& s : score) mt::guard(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  }
  ~Streams() {
    for (auto s : score) cudaStreamDestroy(s);
    cudaStreamDestroy(load);
  }
};

void step(int k, mt::HostCache& cache, const Streams& st, unsigned long long* scores) {
  mt::Tensor query(kDim, st.load);
  mt::Tensor key(kDim, st.load);
  cache.upload(query, st.load, [k](int i) { return queryAt(k, i); });
  cache.upload(key, st.load, [k](int i) { return keyAt(k, i); });
  mt::ops::scale(query, 2, st.load);
  mt::ops::dot(query, key, scores + k, st.score[k % 2]);
}

}  // namespace

int main() {
  Streams st;
  unsigned long long* scores = nullptr;
  mt::guard(cudaMalloc(&scores, kSteps * sizeof(*scores)));
  mt::guard(cudaMemset(scores, 0, kSteps * sizeof(*scores)));
  mt::guard(cudaDeviceSynchronize());

  std::vector<unsigned long long> got(kSteps);
  {
    mt::HostCache cache(kDim);
    for (int k = 0; k < kSteps; ++k) step(k, cache, st, scores);
    mt::guard(cudaDeviceSynchronize());
    mt::guard(cudaMemcpy(got.data(), scores, kSteps * sizeof(*scores), cudaMemcpyDeviceToHost));
    std::fprintf(stderr, "%zu staging blocks\n", cache.blocks());
  }
  mt::guard(cudaFree(scores));

  int bad = 0;
  for (int k = 0; k < kSteps; ++k) {
    unsigned long long want = 0;
    for (int i = 0; i < kDim; ++i) want += static_cast<unsigned long long>(2 * queryAt(k, i)) * keyAt(k, i);
    bad += got[k] != want;
  }
  if (bad)
    std::printf("WRONG %d\n", bad);
  else
    std::printf("DONE\n");
  return 0;
}
