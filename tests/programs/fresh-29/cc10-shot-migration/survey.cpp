// Migrates the shots of a survey line over several lanes and compares the time
// of the line with that of a lone shot.
#include <chrono>
#include <cmath>
#include <random>

#include "migration.hpp"

using namespace seis;

static std::vector<Shot> load_line(int shots, std::mt19937 &rng)
{
    std::uniform_real_distribution<float> u(-1.f, 1.f);
    std::vector<Shot> line(shots);
    for (int i = 0; i < shots; ++i) {
        line[i].id = i;
        line[i].traces.resize(kSamples);
        line[i].image.reserve(kSamples);
        for (float &v : line[i].traces) v = u(rng);
    }
    return line;
}

static double process(Migrator &m, std::vector<Shot> &line, std::size_t first, std::size_t count)
{
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = first; i < first + count; ++i) m.migrate(line[i]);
    m.settle();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int main()
{
    std::mt19937 rng(31);
    Progress progress;
    Migrator migrator(4);
    migrator.on_queued([&](const Shot &) { progress.tick(); });

    const int rounds = 3, shots = rounds * migrator.lanes();
    auto line = load_line(shots, rng);

    process(migrator, line, 0, shots);
    SEIS_TRY(cudaDeviceSynchronize());
    const double lone = process(migrator, line, 0, 1);
    const double whole = process(migrator, line, 0, shots);
    SEIS_TRY(cudaDeviceSynchronize());

    int wrong = progress.value() == 2 * shots + 1 ? 0 : 1;
    for (const Shot &s : line)
        for (int i = 0; i < kSamples; ++i)
            if (!(std::fabs(s.image[i] - reference_image(s.traces, i)) < 1e-4f)) ++wrong;

    const double ratio = whole / (rounds * lone);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
