#include "column.hpp"

#include <cstdio>

using namespace tabula;

__global__ void spin(long long cycles)
{
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {}
}

struct Stream {
  cudaStream_t s;
  Stream() { TABULA_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(s); }
};

static std::vector<std::int64_t> iota(std::int64_t base, int n)
{
  std::vector<std::int64_t> v(n);
  for (int i = 0; i < n; ++i) v[i] = base + i;
  return v;
}

static int mismatches(column& c, std::int64_t base, cudaStream_t s)
{
  std::vector<std::int64_t> h(c.size());
  TABULA_CUDA(cudaMemcpyAsync(h.data(), c.mutable_head(), h.size() * 8, cudaMemcpyDeviceToHost, s));
  TABULA_CUDA(cudaStreamSynchronize(s));
  int bad = 0;
  for (std::size_t i = 0; i < h.size(); ++i) bad += h[i] != base + static_cast<std::int64_t>(i);
  return bad;
}

static int attempt(long long cycles)
{
  constexpr int n = 4096;
  Stream a, b;
  auto a0 = make_column(iota(1000000, n), a.s), a1 = make_column(iota(1000000 + n, n), a.s);
  auto b0 = make_column(iota(5000000, n), b.s), b1 = make_column(iota(5000000 + n, n), b.s);
  TABULA_CUDA(cudaStreamSynchronize(a.s));
  TABULA_CUDA(cudaStreamSynchronize(b.s));

  spin<<<1, 1, 0, a.s>>>(cycles);
  auto ca = concatenate({*a0, *a1}, a.s);
  auto cb = concatenate({*b0, *b1}, b.s);
  int bad = mismatches(*cb, 5000000, b.s);
  bad += mismatches(*ca, 1000000, a.s);
  return bad;
}

int main()
{
  try {
    attempt(1000);
    int bad = 0;
    for (int i = 0; i < 3 && bad == 0; ++i) bad = attempt(200000000LL);
    if (bad) {
      std::printf("WRONG %d rows come from another call's columns\n", bad);
      return 1;
    }
    std::printf("DONE\n");
    return 0;
  } catch (std::exception const& e) {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
}
