#include "pipeline.hpp"
#include <chrono>
#include <algorithm>
#include <cstdio>
#include <exception>

// The application's own stage: a costly filter that occupies a small part of the device.
__global__ void slowFilter(vpp::Plane in, vpp::Plane out, long long cycles) {
  const long long t0 = clock64();
  while (clock64() - t0 < cycles) {}
  for (int y = threadIdx.y; y < in.size.height; y += blockDim.y)
    for (int x = threadIdx.x; x < in.size.width; x += blockDim.x)
      out.data[y * out.pitch + x] = in.data[y * in.pitch + x] + 1;
}
struct SlowFilter : vpp::Stage {
  vpp::Size outputSize(vpp::Size in) const override { return in; }
  void enqueue(const vpp::Plane &in, const vpp::Plane &out, cudaStream_t stream) const override {
    slowFilter<<<1, dim3(32, 8), 0, stream>>>(in, out, 60000000LL);
  }
};

static double now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main() {
  try {
    const vpp::Size in{160, 96};
    const int lanes = 4;
    vpp::Pipeline p(in, lanes);
    p.add(std::make_unique<vpp::Letterbox>(vpp::Size{160, 160}, 16));
    p.add(std::make_unique<SlowFilter>());
    p.add(std::make_unique<vpp::FlipVertical>());
    std::vector<uint8_t> frame(in.width * in.height);
    auto fill = [&](int k) { for (size_t i = 0; i < frame.size(); ++i) frame[i] = uint8_t(40 + (i + k) % 50); };
    long wrong = 0;
    auto check = [&](const uint8_t *o, int k) {
      for (int y = 0; y < 160; ++y) for (int x = 0; x < 160; ++x) {
        const int yy = 159 - y;
        const int want = (yy < 32 || yy >= 128) ? 17 : 41 + ((yy - 32) * 160 + x + k) % 50;
        if (o[y * 160 + x] != want) ++wrong;
      }
    };
    fill(0);
    for (int i = 0; i < lanes; ++i) check(p.collect(p.submit(frame.data())), 0);

    double single = 1e30, all = 1e30;
    for (int rep = 0; rep < 3; ++rep) {
      fill(rep);
      double t0 = now();
      check(p.collect(p.submit(frame.data())), rep);
      single = std::min(single, now() - t0);
      t0 = now();
      int id[lanes];
      for (int i = 0; i < lanes; ++i) { fill(10 * rep + i); id[i] = p.submit(frame.data()); }
      for (int i = 0; i < lanes; ++i) check(p.collect(id[i]), 10 * rep + i);
      all = std::min(all, now() - t0);
    }
    if (wrong) { std::printf("SLOW %ld pixels\n", wrong); return 1; }
    if (all > 2.5 * single) { std::printf("SLOW 4 lanes take %.1f ms, one lane %.1f ms\n", all, single); return 1; }
  } catch (const std::exception &e) {
    std::printf("SLOW %s\n", e.what());
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
