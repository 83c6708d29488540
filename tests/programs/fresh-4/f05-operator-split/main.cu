#include "stage.hpp"

#include <cmath>

using namespace split;

namespace {

struct Settings {
    int n = 4096;
    int steps = 8;
    double rate = 0.3;
};

std::vector<double> initial(int n) {
    std::vector<double> u(n);
    for (int i = 0; i < n; ++i) u[i] = 0.5 + 0.4 * std::sin(0.05 * i) * std::cos(0.31 * i);
    return u;
}

std::vector<double> reference(const Settings& cfg) {
    auto u = initial(cfg.n);
    std::vector<double> v(cfg.n);
    for (int s = 0; s < cfg.steps; ++s) {
        const int shift = 1 + s % 3;
        for (int i = 0; i < cfg.n; ++i) v[i] = 0.75 * u[(i + cfg.n - shift) % cfg.n] + 0.25 * u[i];
        for (int i = 0; i < cfg.n; ++i) u[i] = v[i] + cfg.rate * v[i] * (1.0 - v[i]);
    }
    return u;
}

}  // namespace

int main() {
    const Settings cfg;
    auto u = make_device<double>(cfg.n);
    auto v = make_device<double>(cfg.n);
    auto host = initial(cfg.n);
    ok(cudaMemcpy(u.get(), host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice));
    ok(cudaMemset(v.get(), 0, host.size() * sizeof(double)));
    ok(cudaDeviceSynchronize());

    std::vector<std::unique_ptr<Stage>> stages;
    stages.push_back(make_advection(u.get(), v.get(), cfg.n));
    stages.push_back(make_reaction(v.get(), u.get(), cfg.n, cfg.rate));
    stages[0]->after(*stages[1]);
    stages[1]->after(*stages[0]);

    for (int step = 0; step < cfg.steps; ++step)
        for (auto& st : stages) st->submit(step);
    for (auto& st : stages) {
        st->drain();
        std::printf("%s: %d submissions\n", st->name().c_str(), st->submitted());
    }

    ok(cudaMemcpy(host.data(), u.get(), host.size() * sizeof(double), cudaMemcpyDeviceToHost));
    const auto ref = reference(cfg);
    long wrong = 0;
    for (int i = 0; i < cfg.n; ++i)
        if (!(std::fabs(host[i] - ref[i]) < 1e-9)) ++wrong;
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
