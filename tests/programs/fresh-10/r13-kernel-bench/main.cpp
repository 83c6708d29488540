// Steady-state kernel times of the lattice solver, checked against the wall clock.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench.h"

namespace {

double survey() {
    bench::StreamPool pool(4);
    bench::Runner runner(pool, 8);
    std::vector<std::unique_ptr<bench::Case>> cases;
    cases.push_back(bench::makeCollide(pool));
    cases.push_back(bench::makePressure(pool));

    double worst = 1.0;
    for (auto& c : cases) {
        const bench::Timing t = runner.measure(*c);
        std::fprintf(stderr, "%-10s %8.3f ms\n", c->name().c_str(), t.device);
        const double device = std::max(t.device, 1e-4);
        worst = std::max({worst, t.wall / device, device / t.wall});
    }
    return worst;
}

}  // namespace

int main() {
    try {
        const double worst = survey();
        if (worst > 1.5) {
            std::printf("SLOW %.2f\n", worst);
            return 1;
        }
    } catch (const bench::Failure& failure) {
        std::printf("ERROR %s\n", failure.what());
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
