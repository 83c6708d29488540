// Sonar front end: every ping is windowed and normalised to its peak before it goes to the detector.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "plan.hpp"

namespace {

constexpr int kLen = 1 << 17;
constexpr int kPings = 12;

float ping_sample(int ping, int i) {
  unsigned h = static_cast<unsigned>(i) * 1664525u + 1013904223u * (ping + 3);
  h ^= h >> 14;
  return (0.5f + 0.75f * ping) * static_cast<float>(h % 2001u) / 1000.f;
}

long compare(std::vector<float> const& ping, std::vector<float> const& got, float headroom) {
  std::vector<double> w(ping.size());
  double peak = 0;
  for (std::size_t i = 0; i < ping.size(); ++i) {
    double x = 2.0 * i / (ping.size() - 1) - 1.0;
    w[i] = ping[i] * (1.0 - x * x);
    peak = std::max(peak, w[i]);
  }
  long wrong = 0;
  for (std::size_t i = 0; i < ping.size(); ++i)
    if (!(std::fabs(got[i] - w[i] * headroom / peak) < 1e-3)) ++wrong;
  return wrong;
}

}  // namespace

int main() {
  try {
    cudaStream_t stream = nullptr;
    sig::ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    long wrong = 0;
    {
      auto in = sig::make_device<float>(kLen);
      auto out = sig::make_device<float>(kLen);
      std::vector<float> ping(kLen), result(kLen);

      for (int i = 0; i < kLen; ++i) ping[i] = ping_sample(0, i);
      sig::ok(cudaMemcpyAsync(in.get(), ping.data(), kLen * sizeof(float), cudaMemcpyHostToDevice, stream));
      sig::ok(cudaStreamSynchronize(stream));

      sig::plan_config cfg;
      cfg.length = kLen;
      sig::peak_plan plan(cfg, in.get(), out.get(), stream);

      for (int p = 1; p <= kPings; ++p) {
        for (int i = 0; i < kLen; ++i) ping[i] = ping_sample(p, i);
        sig::ok(cudaMemcpyAsync(in.get(), ping.data(), kLen * sizeof(float), cudaMemcpyHostToDevice, stream));
        plan.execute(stream);
        sig::ok(cudaMemcpyAsync(result.data(), out.get(), kLen * sizeof(float), cudaMemcpyDeviceToHost, stream));
        sig::ok(cudaStreamSynchronize(stream));
        wrong += compare(ping, result, cfg.headroom);
      }
    }
    sig::ok(cudaStreamDestroy(stream));
    if (wrong)
      std::printf("WRONG %ld\n", wrong);
    else
      std::printf("DONE\n");
  } catch (sig::cuda_failure const& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}
