// Runs the registered cases and holds their times against the modelled kernel cost.
#include "bench.h"
#include "histogram.cuh"

int main() {
  bench::Runner runner{bench::RunConfig()};
  int invalid = 0;
  double worst = 0.0;
  for (const auto& factory : bench::Registry::instance().factories()) {
    std::unique_ptr<bench::Case> c = factory();
    const bench::Result r = runner.run(*c);
    std::fprintf(stderr, "%-16s %8.3f ms  %10.3e rows/s\n", r.name.c_str(),
                 r.seconds_per_body * 1e3, r.items_per_second);
    if (!r.valid) ++invalid;
    worst = std::max(worst, r.seconds_per_body / (double(gbdt::kHistogramCostNs) * 1e-9));
  }
  if (invalid)
    std::printf("WRONG %d\n", invalid);
  else if (worst > 1.5)
    std::printf("SLOW %.2f\n", worst);
  else
    std::printf("DONE\n");
  return 0;
}
