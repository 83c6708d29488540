#include <algorithm>
#include <chrono>
#include <cstdio>

#include "smoother.cuh"
#include "timing.h"

int main() {
    using namespace solver;
    constexpr int kDomains = 6, kCells = 1 << 15, kWarm = 2, kSweeps = 8;

    int wrong = 0;
    double reported = 0, honest = 0;
    {
        Executor exec(3);
        Smoother smoother(kDomains, kCells);
        for (int i = 0; i < kWarm; ++i) smoother.sweep(exec);
        exec.drain();

        Stopwatch watch(exec.control());
        const auto t0 = std::chrono::steady_clock::now();
        for (int i = 0; i < kSweeps; ++i) {
            Stopwatch::Scope scope(watch);
            smoother.sweep(exec);
        }
        exec.drain();
        const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - t0;
        reported = watch.mean_ms();
        honest = wall.count() / kSweeps;

        const std::vector<int> got = smoother.values();
        for (int d = 0; d < kDomains; ++d)
            for (int c = 0; c < kCells; ++c) {
                int want = Smoother::initial(d, c);
                for (int i = 0; i < kWarm + kSweeps; ++i) want = Smoother::step(want, d);
                wrong += got[std::size_t(d) * kCells + c] != want;
            }
    }

    std::fprintf(stderr, "sweep: %.3f ms\n", reported);
    const double low = std::max(std::min(reported, honest), 1e-3);
    const double ratio = std::max(reported, honest) / low;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
