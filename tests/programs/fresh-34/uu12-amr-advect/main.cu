// Block-structured advection with a profiled steady state.
#include <algorithm>
#include <cmath>

#include "amr/level.h"
#include "amr/profiler.h"

namespace {

struct Run {
    int warm_up = 2;
    int steps = 8;
};

double honest_step_ms(amr::Level& level, int steps) {
    AMR_SAFE(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) level.step();
    AMR_SAFE(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() / steps;
}

int compare(const amr::Geometry& g, const std::vector<int32_t>& got, int steps) {
    std::vector<int32_t> want(got.size());
    for (int y = 0; y < g.ny; ++y) {
        for (int x = 0; x < g.nx; ++x) want[y * g.nx + x] = amr::initial_value(x, y);
    }
    for (int i = 0; i < steps; ++i) amr::reference_step(g, want);
    int off = 0;
    for (std::size_t i = 0; i < got.size(); ++i) off += got[i] != want[i];
    return off;
}

}  // namespace

int main() {
    const Run run;
    const amr::Geometry geometry;
    amr::Arena arena(8u << 20);
    amr::Level level(geometry, arena);
    level.initialise();

    for (int i = 0; i < run.warm_up; ++i) level.step();
    amr::Profiler::get().reset();
    for (int i = 0; i < run.steps; ++i) level.step();

    const auto entries = amr::Profiler::get().entries();
    for (const auto& [name, entry] : entries) {
        std::printf("%-8s calls %3d mean %8.3f ms\n", name.c_str(), entry.calls, entry.mean());
    }
    const double parts = entries.at("advance").mean() + entries.at("ghosts").mean() + entries.at("copy").mean();
    const double claimed = std::min(parts, entries.at("step").mean());

    const double honest = honest_step_ms(level, run.steps);
    const int off = compare(geometry, level.gather(), run.warm_up + 2 * run.steps);
    const double ratio = std::max(honest / claimed, claimed / honest);
    if (off) {
        std::printf("WRONG %d\n", off);
        return 1;
    }
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
