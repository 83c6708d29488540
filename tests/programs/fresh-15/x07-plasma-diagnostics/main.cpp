#include <cmath>
#include <cstdio>

#include "energy.cuh"
#include "solver.cuh"

int main() {
    constexpr int kCells = 1 << 22;
    constexpr int kSteps = 24;
    constexpr int kEvery = 3;
    plasma::keepPoolWarm();

    plasma::EnergyProbe probe(kSteps, kEvery);
    int wrong = 0;
    {
        plasma::Solver solver(kCells);
        solver.attach(&probe);
        for (int s = 0; s < kSteps; ++s) solver.advance();

        const auto sums = probe.collect();
        solver.finish();
        double base = 0.0;
        for (int i = 0; i < kCells; ++i) base += i % 17;
        for (size_t k = 0; k < sums.size(); ++k) {
            const double expect = base + static_cast<double>(kCells) * (k + 1) * kEvery;
            wrong += std::fabs(sums[k] - expect) > 0.5;
        }
        wrong += sums.size() != kSteps / kEvery;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
