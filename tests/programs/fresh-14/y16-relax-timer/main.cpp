#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "solver.h"
#include "span_timer.h"

namespace {

std::vector<float> reference(int band, int cells, int sweeps) {
    std::vector<float> now(cells), next(cells);
    for (int i = 0; i < cells; ++i) now[i] = relax::boundary(band, i, cells);
    for (int k = 0; k < sweeps; ++k) {
        for (int i = 0; i < cells; ++i)
            next[i] = i == 0 || i == cells - 1 ? now[i] : 0.5f * (now[i - 1] + now[i + 1]);
        std::swap(now, next);
    }
    return now;
}

}  // namespace

int main() {
    constexpr int bands = 3, cells = 4096, sweeps = 12;
    relax::BandSolver solver(bands, cells);

    solver.reset();
    solver.sweep(1);

    solver.reset();
    relax::SpanTimer timer;
    timer.open(solver.streams());
    solver.sweep(sweeps);
    timer.close(solver.streams());
    const double reported = timer.milliseconds();

    int wrong = 0;
    for (int b = 0; b < bands; ++b) {
        const auto got = solver.band(b), want = reference(b, cells, sweeps);
        for (int i = 0; i < cells; ++i) wrong += std::fabs(got[i] - want[i]) > 1e-3f;
    }

    relax::check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    solver.sweep(sweeps);
    relax::check(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> wall =
        std::chrono::steady_clock::now() - begin;

    const double ratio = std::max(wall.count() / reported, reported / wall.count());
    std::printf("%d sweeps: %.2f ms\n", sweeps, reported);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
