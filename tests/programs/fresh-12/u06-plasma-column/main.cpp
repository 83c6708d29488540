#include <cmath>
#include <cstdio>
#include <vector>

#include "column.h"

using plasma::kCells;

namespace {

std::vector<float> noise(unsigned seed)
{
    std::vector<float> v(kCells);
    for (float& x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = 0.7f * float(seed >> 8) / float(1 << 24);
    }
    return v;
}

std::vector<float> reference(std::vector<float> n, const std::vector<float>& drive,
                             const std::vector<float>& taps, int steps)
{
    std::vector<float> rho(kCells);
    for (int k = 0; k < steps; ++k) {
        for (int i = 0; i < kCells; ++i) rho[i] = n[i] * n[i];
        for (int i = 0; i < kCells; ++i) {
            const float s = taps[0] * rho[(i + kCells - 1) % kCells] + taps[1] * rho[i] +
                            taps[2] * rho[(i + 1) % kCells];
            n[i] = 0.9f * n[i] + 0.1f * s + plasma::kDrive * drive[i];
        }
    }
    return n;
}

}  // namespace

int main()
{
    constexpr int kSteps = 40;
    const std::vector<float> taps{0.25f, 0.5f, 0.25f};
    const std::vector<float> density = noise(7), drive = noise(11);

    plasma::Column column({"deposit", "smooth", "push"}, taps, density, drive);
    column.prepare();
    column.run(kSteps);

    const auto got = column.density();
    const auto want = reference(density, drive, taps, kSteps);
    int wrong = 0;
    for (int i = 0; i < kCells; ++i)
        if (!(std::fabs(got[i] - want[i]) < 1e-3f * (1.f + std::fabs(want[i])))) ++wrong;

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
