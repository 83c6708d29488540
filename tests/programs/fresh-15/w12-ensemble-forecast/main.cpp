#include <cmath>
#include <cstdio>

#include "forecast.hpp"

int main() {
    constexpr int kCells = 20000;
    constexpr int kCycles = 8;
    constexpr int kStepsPerCycle = 5;

    int wrong = 0;
    {
        forecast::Ensemble ensemble(kCells);
        std::vector<double> shadow[forecast::kMembers];
        for (auto& s : shadow) s.assign(kCells, 0.0);

        for (int cycle = 0; cycle < kCycles; ++cycle) {
            auto pending = forecast::fetchObservations(kCells, cycle);
            const forecast::Physics physics{0.5f, 0.25f * float(cycle + 1), 2 + cycle % 3};
            const float gain = 0.5f / float(1 << (cycle % 3));
            ensemble.rebuild(physics, gain);
            ensemble.assimilate(pending.get());
            ensemble.advance(kStepsPerCycle);
            const std::vector<float> mean = ensemble.mean();

            for (int i = 0; i < kCells; ++i) {
                double sum = 0;
                for (int m = 0; m < forecast::kMembers; ++m) {
                    double v = shadow[m][i] + forecast::observedAt(cycle, i);
                    for (int s = 0; s < kStepsPerCycle * physics.substeps; ++s)
                        v = v * physics.drag + physics.heating * (m + 1);
                    shadow[m][i] = v;
                    sum += v;
                }
                if (std::fabs(gain * sum - mean[i]) > 1e-3) ++wrong;
            }
        }
        if (ensemble.stepsTaken() != kCycles * kStepsPerCycle) ++wrong;
    }

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
