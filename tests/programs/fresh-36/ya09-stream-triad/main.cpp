#include "workspace.h"

#include <algorithm>
#include <map>

// Runs the memory benchmarks and writes a table of comma-separated values.
int main() {
  constexpr int kWarmup = 3;
  constexpr int kRounds = 200;
  const std::map<std::string, float> results = {
      {"copy", 1.0f}, {"scale", 4.0f}, {"add", 3.0f}, {"triad", 7.0f}};

  BENCH_CUDA(cudaSetDevice(0));
  bench::Workspace ws(size_t(16) << 20);
  size_t wrong = 0;
  double reference = 0.0;
  double worst = 1.0;

  std::printf("case,us_per_round,gb_per_s,of_copy\n");
  for (const bench::Entry& entry : bench::entries()) {
    ws.clearResult();
    {
      bench::State first(1, 1);
      entry.function(first, ws);
      BENCH_CUDA(cudaDeviceSynchronize());
    }

    bench::State state(kWarmup, kRounds);
    const auto begin = std::chrono::steady_clock::now();
    entry.function(state, ws);
    BENCH_CUDA(cudaDeviceSynchronize());
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;

    if (reference == 0.0) reference = state.gigabytesPerSecond();
    std::printf("%s,%.1f,%.1f,%.2f\n", entry.name.c_str(), 1e6 * state.secondsPerRound(),
                state.gigabytesPerSecond(), state.gigabytesPerSecond() / reference);

    const double outside = whole.count() / state.totalRounds();
    worst = std::max(worst, outside / state.secondsPerRound());
    wrong += ws.countDifferent(results.at(entry.name));
  }

  if (wrong != 0) {
    std::printf("WRONG %zu\n", wrong);
    return 1;
  }
  if (worst > 1.5) {
    std::printf("SLOW %.2f\n", worst);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
