// Scores batches of user/item pairs with a two-tower recommender.
#include "model.h"

namespace {

int feature(int batch, int which, int i) { return (i * 3 + batch * 17 + which * 5) % 11 - 4; }

std::vector<int> make(int batch, int which) {
  std::vector<int> v(tt::kBatch * tt::kDim);
  for (size_t i = 0; i < v.size(); ++i) v[i] = feature(batch, which, int(i));
  return v;
}

int embedRef(const std::vector<int>& x, int row, int col, int w) {
  int acc = 0;
  for (int k = 0; k < tt::kDim; ++k) acc += x[row * tt::kDim + k] * ((k + col + w) % 7 - 3);
  return acc > 0 ? acc : 0;
}

}  // namespace

int main() {
  constexpr int kBatches = 4;
  const size_t wide = sizeof(int) * tt::kBatch * tt::kDim;

  tt::Buffers b{};
  for (int** p : {&b.user, &b.item, &b.userVec, &b.itemVec}) {
    TT_CHECK(cudaMalloc(p, wide));
    TT_CHECK(cudaMemset(*p, 0, wide));
  }
  TT_CHECK(cudaMalloc(&b.score, sizeof(int) * tt::kBatch));
  TT_CHECK(cudaDeviceSynchronize());

  tt::TwoTower model(2, 5);
  tt::Replayer graph(model, b);

  int wrong = 0;
  for (int n = 0; n < kBatches; ++n) {
    const auto u = make(n, 0), v = make(n, 1);
    TT_CHECK(cudaMemcpyAsync(b.user, u.data(), wide, cudaMemcpyHostToDevice, graph.stream()));
    TT_CHECK(cudaMemcpyAsync(b.item, v.data(), wide, cudaMemcpyHostToDevice, graph.stream()));
    graph.replay();
    std::vector<int> got(tt::kBatch);
    TT_CHECK(cudaMemcpyAsync(got.data(), b.score, sizeof(int) * tt::kBatch, cudaMemcpyDeviceToHost,
                             graph.stream()));
    TT_CHECK(cudaStreamSynchronize(graph.stream()));

    for (int r = 0; r < tt::kBatch; ++r) {
      int want = 0;
      for (int c = 0; c < tt::kDim; ++c) want += embedRef(u, r, c, 2) * embedRef(v, r, c, 5);
      if (got[r] != want) ++wrong;
    }
  }

  for (int* p : {b.user, b.item, b.userVec, b.itemVec, b.score}) cudaFree(p);
  if (wrong) {
    std::printf("WRONG %d\n", wrong);
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
