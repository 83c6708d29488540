// Steady-state benchmark of workloads that are spread over several streams.
#include <algorithm>

#include "bench/workload.h"

namespace {

double discrepancy(double a, double b) {
    const double lo = std::max(1e-3, std::min(a, b));
    return std::max(a, b) / lo;
}

}  // namespace

int main() {
    const bench::Plan plan;
    bench::LaneGroup group(plan.lanes);
    double worst = 1.0;
    int failed = 0;

    for (const auto& make : bench::Registry::global().factories()) {
        const std::unique_ptr<bench::Workload> w = make();
        const bench::Sample s = bench::measure(*w, group, plan);
        const double wall = bench::wall_time(*w, group);
        failed += !s.verified;
        worst = std::max(worst, discrepancy(s.median_ms, wall));
        std::printf("%-18s best %8.3f ms median %8.3f ms wall %8.3f ms\n", s.name.c_str(), s.best_ms, s.median_ms, wall);
    }

    if (failed) {
        std::printf("WRONG %d\n", failed);
        return 1;
    }
    if (worst > 1.5) {
        std::printf("SLOW %.2f\n", worst);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
