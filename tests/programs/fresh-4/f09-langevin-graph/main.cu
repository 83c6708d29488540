#include "integrator.hpp"

#include <cmath>
#include <vector>

namespace {

std::vector<double> reference(const lgv::Model& m, int steps) {
    std::vector<double> x(m.walkers, 0.0), v(m.walkers, 0.0);
    for (int s = 0; s < steps; ++s)
        for (int i = 0; i < m.walkers; ++i) {
            const double xi = vrandSample(m.seed, static_cast<uint64_t>(s) * m.walkers + i);
            v[i] = v[i] - m.dt * (m.gamma * v[i] + x[i]) + m.kick * xi;
            x[i] = x[i] + m.dt * v[i];
        }
    return x;
}

double mean_square(const std::vector<double>& x) {
    double s = 0.0;
    for (double e : x) s += e * e;
    return s / x.size();
}

}  // namespace

int main() {
    const lgv::Model model;
    const int steps = 200;
    std::vector<double> x(model.walkers);
    {
        lgv::Integrator sim(model);
        sim.prepare();
        sim.advance(steps);
        sim.positions(x.data());
    }
    const auto ref = reference(model, steps);
    long wrong = 0;
    for (int i = 0; i < model.walkers; ++i)
        if (!(std::fabs(x[i] - ref[i]) < 1e-8)) ++wrong;
    std::printf("<x^2> = %.6f after %d steps (expected %.6f)\n", mean_square(x), steps, mean_square(ref));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
