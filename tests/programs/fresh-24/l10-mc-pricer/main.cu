#include "paths.cuh"
#include "pricer.h"
#include <chrono>
#include <vector>

int main()
{
    constexpr int batches = 24, paths = 1 << 16;
    mc::Pricer pricer(paths);
    std::vector<std::uint32_t> sums(batches, 0u);
    auto timed = [&](int first, int last) {
        const auto t0 = std::chrono::steady_clock::now();
        pricer.run(first, last, [&](int b, std::uint32_t s) { sums[b] = s; });
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
    };

    timed(0, mc::Pricer::kInFlight);
    const double one = timed(0, 1);
    const double all = timed(0, batches);

    int wrong = 0;
    for (int b = 0; b < batches; ++b) {
        std::uint32_t want = 0;
        for (int p = 0; p < paths; ++p)
            want += mc::payoff(b, p);
        wrong += want != sums[b];
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 2;
    }
    const double ratio = all / (one * batches / mc::Pricer::kLanes);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 3;
    }
    std::printf("DONE\n");
    return 0;
}
