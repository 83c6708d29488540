#include "patch.h"
#include <chrono>
#include <cmath>
#include <functional>

using namespace amr;

namespace {

constexpr size_t kCells = 1 << 15;

struct Coarse final : Level {
    using Level::Level;
    double source(int step) const override { return 1.0 + step; }
};
struct Fine final : Level {
    using Level::Level;
    double source(int step) const override { return 0.25 * depth_ + 0.5 * step; }
};

struct Tracked {
    std::unique_ptr<Level> level;
    double cell = 0;
    int steps = 0;
};

double advance(std::vector<Tracked>& levels, size_t active, int steps) {
    const auto begin = std::chrono::steady_clock::now();
    for (int s = 0; s < steps; ++s)
        for (size_t l = 0; l < active; ++l) {
            Tracked& t = levels[l];
            t.level->substep(t.steps);
            t.cell += 0.5 * t.cell + t.level->source(t.steps);
            ++t.steps;
        }
    for (size_t l = 0; l < active; ++l) levels[l].level->fetch();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
    std::vector<Tracked> levels;
    levels.push_back({std::make_unique<Coarse>(0, kCells)});
    for (int d = 1; d < 4; ++d) levels.push_back({std::make_unique<Fine>(d, kCells)});

    advance(levels, levels.size(), 2);
    const double one = advance(levels, 1, 6);
    const double all = advance(levels, levels.size(), 6);

    int wrong = 0;
    for (auto& t : levels) {
        const double expect = t.cell * kCells;
        if (std::fabs(t.level->total() - expect) > 1e-9 * std::fabs(expect)) ++wrong;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (all > 1.5 * one) std::printf("SLOW %.2f\n", all / one);
    else std::printf("DONE\n");
    return 0;
}
