#include "bench.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using Clock = std::chrono::steady_clock;

std::size_t differences(const jac::Handle& handle, int solves) {
    const auto& p = handle.problem();
    std::vector<std::uint32_t> a(p.n), b(p.n);
    for (int i = 0; i < p.n; ++i) a[i] = static_cast<std::uint32_t>(i) * 40503u;
    for (int s = 0; s < solves * p.sweeps; ++s) {
        for (int i = 0; i < p.n; ++i) b[i] = jac::relax(a[i ? i - 1 : p.n - 1], a[i], a[i + 1 < p.n ? i + 1 : 0]);
        std::swap(a, b);
    }
    const auto got = handle.fetch();
    std::size_t bad = 0;
    for (int i = 0; i < p.n; ++i) bad += got[i] != a[i];
    return bad;
}

double by_the_wall(jac::Handle& handle, int repeats) {
    jac::ensure(cudaDeviceSynchronize());
    const auto t = Clock::now();
    for (int i = 0; i < repeats; ++i) handle.solve();
    jac::ensure(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count() / repeats;
}

int run() {
    const bench::Plan plan;
    bench::Runner runner(plan);
    jac::Handle handle(jac::Problem{});

    const bench::Report report = runner.measure("jacobi/8", bench::solve_with(handle));
    const double wall = by_the_wall(handle, plan.repeats);

    const std::size_t bad = differences(handle, plan.warmup + 2 * plan.repeats);
    const double shown = std::max(report.mean_ms, 1e-4);
    const double ratio = std::max(wall / shown, shown / wall);
    std::fprintf(stderr, "%s: %.3f ms\n", report.name.c_str(), report.mean_ms);

    if (bad) std::printf("WRONG %zu\n", bad);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::puts("DONE");
    return bad || ratio > 1.5 ? 1 : 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const jac::cuda_error& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
