#include "bank.cuh"

#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

using Banks = std::vector<std::unique_ptr<mc::ParticleBank>>;

static constexpr int kReplicas = 4;
static constexpr unsigned kGenerations = 6;

static double simulate(Banks& banks, int count)
{
    const auto t0 = std::chrono::steady_clock::now();
    for (unsigned g = 0; g < kGenerations; ++g)
        for (int b = 0; b < count; ++b)
            banks[b]->generation(g);
    for (int b = 0; b < count; ++b)
        banks[b]->finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

static int verify(const mc::ParticleBank& bank)
{
    std::vector<unsigned long long> want(mc::kCells, 0);
    for (unsigned g = 0; g < kGenerations; ++g)
        for (unsigned i = 0; i < mc::kParticles; ++i)
            want[mc::landing_cell(bank.seed(), g, i)] += i % 1000u + 1u;
    const auto got = bank.tally();
    int wrong = 0;
    for (int c = 0; c < mc::kCells; ++c)
        wrong += got[c] != want[c];
    return wrong;
}

int main()
{
    Banks banks;
    for (int b = 0; b < kReplicas; ++b)
        banks.push_back(std::make_unique<mc::ParticleBank>(17u + b));
    mc::ok(cudaDeviceSynchronize());

    simulate(banks, kReplicas);
    const double one = simulate(banks, 1);
    for (auto& b : banks) {
        b->clear_tally();
        b->finish();
    }
    const double all = simulate(banks, kReplicas);

    int wrong = 0;
    for (const auto& b : banks)
        wrong += verify(*b);
    const double ratio = all / one;
    std::printf("%d replicas in %.1f ms, one in %.1f ms\n", kReplicas, all * 1e3, one * 1e3);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
