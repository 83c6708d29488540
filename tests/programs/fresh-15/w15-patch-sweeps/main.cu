#include <chrono>
#include <cmath>
#include <cstdio>

#include "bench.hpp"

namespace {

double wallMillis(amr::Hierarchy& h, cudaStream_t stream, int sweeps) {
    OKAY(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    for (int i = 0; i < sweeps; ++i) h.sweep(stream);
    OKAY(cudaDeviceSynchronize());
    const auto t1 = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(t1 - t0).count() / sweeps;
}

}  // namespace

int main() {
    constexpr int kAudit = 8;
    bench::Harness harness(2, 10);
    amr::Hierarchy level(20000, 3, 8000);

    const bench::Result r =
        harness.measure("composite sweep", [&level](cudaStream_t stream) { level.sweep(stream); });
    std::fprintf(stderr, "%s: %.3f ms\n", r.name.c_str(), r.millisPerRun);

    const double honest = wallMillis(level, harness.stream(), kAudit);
    const double want = level.expected(harness.bodies() + kAudit);
    int wrong = 0;
    for (double v : level.collect()) wrong += std::fabs(v - want) > 1e-12;

    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    const double ratio = honest / r.millisPerRun;
    if (ratio > 1.5 || ratio < 1.0 / 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
