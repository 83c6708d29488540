// Measures histogram construction for a quantised matrix and audits the reported time.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "updater.h"

int main() {
  gbt::Context ctx;
  gbt::TrainParam param;
  param.scan_ns = 30'000'000ull;

  std::vector<std::uint8_t> bins(1 << 18);
  for (std::size_t i = 0; i < bins.size(); ++i)
    bins[i] = static_cast<std::uint8_t>((i * 7 + i / 64) % param.max_bin);

  long wrong = 0;
  double ratio = 0;
  {
    gbt::HistUpdater updater(&ctx, param, bins);
    updater.Update("Warmup");
    gbt::Check(cudaDeviceSynchronize());

    for (int r = 0; r < param.rounds; ++r) updater.Update("BuildHist");
    std::vector<unsigned> want(param.max_bin);
    for (std::uint8_t b : bins) ++want[b];
    const std::vector<unsigned> got = updater.Histogram();
    for (int b = 0; b < param.max_bin; ++b) wrong += got[b] != want[b];
    updater.Timing().Print();

    gbt::Check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    updater.BuildHist();
    gbt::Check(cudaDeviceSynchronize());
    const std::chrono::duration<double> audit = std::chrono::steady_clock::now() - begin;
    const double reported = updater.Timing().Mean("BuildHist");
    ratio = std::max(audit.count() / reported, reported / audit.count());
  }
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
