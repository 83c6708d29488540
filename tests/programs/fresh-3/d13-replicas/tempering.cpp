#include <chrono>
#include <cstring>

#include "replica.h"

using namespace ising;

struct RunOptions {
    int replicas = 4;
    int sweeps = 40;
    int relax_us = 2500;
    double beta_low = 0.30, beta_high = 0.48;
};

static RunOptions read_options(int argc, char** argv) {
    RunOptions o;
    for (int i = 1; i + 1 < argc; ++i) {
        if (!std::strcmp(argv[i], "--replicas")) o.replicas = std::atoi(argv[++i]);
        else if (!std::strcmp(argv[i], "--sweeps")) o.sweeps = std::atoi(argv[++i]);
        else if (!std::strcmp(argv[i], "--relax-us")) o.relax_us = std::atoi(argv[++i]);
        else if (!std::strcmp(argv[i], "--beta-low")) o.beta_low = std::atof(argv[++i]);
        else if (!std::strcmp(argv[i], "--beta-high")) o.beta_high = std::atof(argv[++i]);
    }
    return o;
}

static double advance(std::vector<Replica*> set, int sweeps) {
    for (auto* r : set) r->reset();
    for (auto* r : set) r->wait();
    auto t0 = std::chrono::steady_clock::now();
    for (int s = 0; s < sweeps; ++s) {
        for (auto* r : set) {
            r->sweep(s);
            r->sample(s);
        }
    }
    for (auto* r : set) r->wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

int main(int argc, char** argv) {
    const RunOptions o = read_options(argc, argv);
    std::vector<ReplicaSpec> specs;
    std::vector<std::unique_ptr<Replica>> replicas;
    std::vector<Replica*> all;
    for (int i = 0; i < o.replicas; ++i) {
        double beta = o.beta_low + (o.beta_high - o.beta_low) * i / (o.replicas > 1 ? o.replicas - 1 : 1);
        specs.push_back({i, beta, o.sweeps, o.relax_us});
        replicas.push_back(make_replica(specs.back()));
        all.push_back(replicas.back().get());
    }

    advance({all[0]}, 2);
    const double alone = advance({all[0]}, o.sweeps);
    const double together = advance(all, o.sweeps);
    std::printf("one replica %.1f ms, %d replicas %.1f ms, %.1f sweeps/s\n", alone * 1e3, o.replicas, together * 1e3,
                o.replicas * o.sweeps / together);

    int wrong = 0;
    for (int i = 0; i < o.replicas; ++i) {
        auto got = replicas[i]->series(), want = simulate_on_host(specs[i]);
        for (int s = 0; s < o.sweeps; ++s) wrong += got[s] != want[s];
    }
    replicas.clear();
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (together / alone > 1.5) std::printf("SLOW %.2f\n", together / alone);
    else std::printf("DONE\n");
    return 0;
}
