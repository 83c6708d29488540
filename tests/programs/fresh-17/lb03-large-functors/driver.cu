#include "KX_Core.hpp"
#include <cstdio>
#include <exception>
#include <vector>

// Interpolation with a large table carried by value inside the functor.
struct TableLookup {
  double table[1024];
  double* out;
  long long cycles;
  __device__ void operator()(int i) const {
    double* o = out;
    const long long wait = cycles;
    const long long t0 = clock64();
    while (clock64() - t0 < wait) {}
    __threadfence();
    o[i] = table[i % 1024];
  }
};

struct Sum {
  const double* v;
  __device__ void operator()(int i, double& u) const { u += v[i]; }
};

static bool run() {
  const int n = 1024;
  KX::Cuda a, b;
  KX::View<double> va("a", n), vb("b", n);
  std::vector<double> ha(n), hb(n);
  int wrong = 0;
  for (int rep = 0; rep < 4; ++rep) {
    TableLookup fa{}, fb{};
    for (int i = 0; i < n; ++i) { fa.table[i] = 1000.0 * rep + i; fb.table[i] = -1.0 - i; }
    fa.out = va.data(); fa.cycles = rep == 0 ? 1000 : 150000000LL;
    fb.out = vb.data(); fb.cycles = 1000;
    KX::parallel_for(KX::RangePolicy(a, 0, n), fa);
    KX::parallel_for(KX::RangePolicy(b, 0, n), fb);
    KX::deep_copy(a, ha.data(), va);
    KX::deep_copy(b, hb.data(), vb);
    for (int i = 0; i < n; ++i) {
      if (ha[i] != 1000.0 * rep + i) ++wrong;
      if (hb[i] != -1.0 - i) ++wrong;
    }
    double s = 0;
    KX::parallel_reduce(KX::RangePolicy(b, 0, n), Sum{vb.data()}, s);
    if (s != -524800.0) ++wrong;
  }
  if (wrong) std::printf("WRONG %d values were looked up in the other instance's table\n", wrong);
  return wrong == 0;
}

int main() {
  try {
    KX::initialize(0);
    const bool ok = run();
    KX::finalize();
    if (!ok) return 1;
  } catch (const std::exception& e) {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
