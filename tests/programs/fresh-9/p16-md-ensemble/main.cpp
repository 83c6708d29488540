#include "replica.h"
#include <chrono>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

double elapsed_ms(Clock::time_point from) {
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

std::size_t check(const md::Replica& r, int id, int atoms) {
    std::vector<std::uint32_t> x(atoms), f(atoms);
    for (int i = 0; i < atoms; ++i) x[i] = md::Replica::start(id, i);
    for (int s = 0; s < r.steps(); ++s) {
        for (int i = 0; i < atoms; ++i) f[i] = md::Replica::force(x[i], x[(i + 1) % atoms]);
        for (int i = 0; i < atoms; ++i) x[i] += f[i];
    }
    const auto got = r.positions();
    std::size_t bad = 0;
    for (int i = 0; i < atoms; ++i) bad += got[i] != x[i];
    return bad;
}

}  // namespace

int main() {
    constexpr int replicas = 4, steps = 8;
    md::Settings settings;
    md::Monitor monitor;
    std::vector<std::unique_ptr<md::Replica>> ensemble;
    for (int r = 0; r < replicas; ++r) ensemble.push_back(std::make_unique<md::Replica>(r, settings));

    for (auto& r : ensemble) {
        r->step();
        r->settle();
    }
    std::uint32_t beats = monitor.beat();

    auto t = Clock::now();
    for (int s = 0; s < steps; ++s) ensemble[0]->step();
    ensemble[0]->settle();
    const double alone = elapsed_ms(t);

    t = Clock::now();
    std::vector<std::thread> drivers;
    for (auto& r : ensemble) {
        md::Replica* replica = r.get();
        drivers.emplace_back([replica] {
            for (int s = 0; s < steps; ++s) replica->step();
            replica->settle();
        });
    }
    for (int s = 0; s < steps; ++s) {
        beats = monitor.beat();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (auto& d : drivers) d.join();
    const double together = elapsed_ms(t);

    std::size_t bad = beats != steps + 1;
    for (int r = 0; r < replicas; ++r) bad += check(*ensemble[r], r, settings.atoms);

    const double ratio = together / alone;
    if (bad) std::printf("WRONG %zu\n", bad);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::puts("DONE");
    return bad || ratio > 1.5 ? 1 : 0;
}
