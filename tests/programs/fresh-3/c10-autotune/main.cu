// Embedding-table service start-up: picks the launch configuration of the gather operator for the
// table at hand and serves a first batch with it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include "gather.hpp"
#include "tuner.hpp"

namespace {

void guard(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::exit(0);
}

template <typename T>
std::shared_ptr<T> device_copy(std::vector<T> const& v, cudaStream_t s) {
  T* p = nullptr;
  guard(cudaMalloc(&p, v.size() * sizeof(T)));
  guard(cudaMemcpyAsync(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice, s));
  guard(cudaStreamSynchronize(s));
  return {p, [](T* q) { cudaFree(q); }};
}

}  // namespace

int main() {
  constexpr int n = 20000;
  cudaStream_t stream;
  guard(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  std::vector<float> table(n), out(n, -1.f);
  std::vector<int> index(n);
  std::iota(table.begin(), table.end(), 0.5f);
  for (int i = 0; i < n; ++i) index[i] = static_cast<int>((i * 7919LL) % n);

  auto d_table = device_copy(table, stream);
  auto d_index = device_copy(index, stream);
  auto d_out = device_copy(out, stream);

  auto launch = [&](ops::gather_config const& c, cudaStream_t s) {
    return ops::gather(c, d_table.get(), d_index.get(), d_out.get(), n, s);
  };

  std::vector<ops::gather_config> const candidates = {{128, 1}, {128, 2}, {256, 4}, {128, 8}};
  tune::tuner<ops::gather_config> tuner({4, 1});
  auto first = tuner.choose("table-20000", candidates, launch, stream);
  guard(first.status);
  auto again = tuner.choose("table-20000", candidates, launch, stream);
  guard(again.status);

  auto const best = first.value->config;
  double const nominal = ops::nominal_ms(best);
  double const ratio = std::max(first.value->ms / nominal, nominal / first.value->ms);
  std::printf("block %d x %d: %.3f ms (nominal %.3f ms)\n", best.block, best.per_thread, first.value->ms, nominal);

  guard(cudaMemsetAsync(d_out.get(), 0, n * sizeof(float), stream));
  guard(launch(best, stream));
  guard(cudaMemcpyAsync(out.data(), d_out.get(), n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  guard(cudaStreamSynchronize(stream));
  long wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != table[index[i]];
  wrong += best.per_thread != 4;
  wrong += again.value->config.per_thread != best.per_thread;

  d_table.reset();
  d_index.reset();
  d_out.reset();
  guard(cudaStreamDestroy(stream));
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
