#include "scheduler.cuh"
#include <algorithm>

int main() {
    constexpr int kCells = 1 << 14;
    constexpr int kReplays = 12;
    constexpr unsigned long long kStageNs = 6000000ull;

    replay::demand(cudaSetDevice(0));
    replay::Scheduler scheduler(kCells, kStageNs);
    const replay::Figures f = scheduler.measure(kReplays);

    std::printf("submit   %.4f ms per replay (host cost of a launch)\n", f.submit.count() / kReplays);
    std::printf("complete %.4f ms per replay\n", f.complete.count() / kReplays);

    int bad = 0;
    for (int v : scheduler.cells())
        if (v != 3 * (kReplays + 1)) ++bad;

    const double planned = 2.0 * kStageNs * 1e-6 * kReplays;
    const double ratio = std::max(planned / f.complete.count(), f.complete.count() / planned);
    if (bad)
        std::printf("WRONG %d\n", bad);
    else if (ratio > 1.5 || f.submit > f.complete)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
