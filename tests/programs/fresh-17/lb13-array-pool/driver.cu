#include "Array.hpp"
#include <cstdio>
#include <exception>
#include <vector>

struct SlowTwice {
  long long cycles;
  __device__ float operator()(float v) const {
    const long long t0 = clock64();
    while (clock64() - t0 < cycles) {}
    return 2.0f * v;
  }
};
struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};

int main() {
  const int n = 64 * 256 * 10;
  std::vector<float> h0(n), h1(n);
  long wrong = 0;
  try {
    for (int rep = 0; rep < 4; ++rep) {
      const float v = 10.0f * (rep + 1);
      // a frame of work in queue 0 ...
      fa::setActiveQueue(0);
      fa::Array<float> input = fa::constant(v, n);
      fa::Array<float> result = fa::unary(input, SlowTwice{rep == 0 ? 100LL : 10000000LL});
      // ... while queue 1 starts with something else, the input of the frame not being needed any more
      fa::setActiveQueue(1);
      input = fa::Array<float>();
      fa::Array<float> other = fa::constant(-1.0f, n);
      fa::Array<float> sum = fa::binary(other, other, Plus{});
      sum.host(h1.data());
      result.host(h0.data());
      for (int i = 0; i < n; ++i) {
        if (h0[i] != 2.0f * v) ++wrong;
        if (h1[i] != -2.0f) ++wrong;
      }
    }
    fa::sync(0);
    fa::sync(1);
    fa::deviceGC();
  } catch (const std::exception& e) {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
  if (wrong) { std::printf("WRONG %ld elements of the result saw the buffer's next owner\n", wrong); return 1; }
  std::printf("DONE\n");
  return 0;
}
