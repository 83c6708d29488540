// Coarse-grained polymer chain, split into slabs that exchange border beads every step.
#include <cmath>

#include "md/halo_exchange.h"

namespace md {

Trajectory initial_state(const Parameters& p) {
    Trajectory t;
    t.u.resize(p.total());
    t.v.resize(p.total());
    std::uint32_t seed = 2463534242u;
    for (int i = 0; i < p.total(); ++i) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        t.u[i] = 0.1 * std::sin(i * 0.0647) + 0.2 * (seed / 4294967296.0) - 0.05;
        t.v[i] = 0.02 * std::cos(i * 0.031);
    }
    return t;
}

Trajectory reference_run(const Parameters& p, Trajectory s) {
    const int n = p.total();
    auto at = [&](int i) { return s.u[(i + n) % n]; };
    for (int step = 0; step < p.steps; ++step) {
        for (int i = 0; i < n; ++i) {
            const double c = s.u[i];
            const double near = at(i - 1) + at(i + 1) - 2.0 * c;
            const double far = at(i - 2) + at(i + 2) - 2.0 * c;
            s.v[i] += p.dt * (p.k_near * near + p.k_far * far - p.k_cubic * c * c * c);
        }
        for (int i = 0; i < n; ++i) s.u[i] += p.dt * s.v[i];
    }
    return s;
}

class Simulation {
public:
    explicit Simulation(const Parameters& p) : p_(p) {
        for (int r = 0; r < p.domains; ++r) domains_.push_back(std::make_unique<Domain>(p, r));
        halo_ = std::make_unique<HaloExchange>(domains_);
    }

    Trajectory run(const Trajectory& start) {
        for (auto& d : domains_) d->load(start);
        for (int step = 0; step < p_.steps; ++step) {
            halo_->publish(step);
            halo_->collect(step);
            for (auto& d : domains_) {
                d->kick();
                d->drift();
            }
        }
        Trajectory out;
        out.u.resize(p_.total());
        out.v.resize(p_.total());
        for (auto& d : domains_) d->store(out);
        return out;
    }

private:
    Parameters p_;
    std::vector<std::unique_ptr<Domain>> domains_;
    std::unique_ptr<HaloExchange> halo_;
};

}  // namespace md

int main() {
    md::Parameters p;
    const md::Trajectory start = md::initial_state(p);
    md::Simulation sim(p);
    const md::Trajectory got = sim.run(start);
    const md::Trajectory want = md::reference_run(p, start);

    int off = 0;
    double energy = 0.0;
    for (int i = 0; i < p.total(); ++i) {
        energy += 0.5 * got.v[i] * got.v[i];
        if (std::fabs(got.u[i] - want.u[i]) > 1e-10 || std::fabs(got.v[i] - want.v[i]) > 1e-10) ++off;
    }
    std::printf("beads %d steps %d kinetic %.6f\n", p.total(), p.steps, energy);
    if (off) {
        std::printf("WRONG %d\n", off);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
