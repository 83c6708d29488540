#include <chrono>
#include <cstdio>
#include <deque>
#include <vector>

#include "lane.h"

namespace {

constexpr int kLanes = 4;
constexpr int kLigands = 16;

dock::Ligand makeLigand(int i)
{
    return {std::uint32_t(i), 20u + 3u * unsigned(i), 1u + unsigned(i) % 5u, 0u};
}

struct Screen {
    std::deque<dock::Lane> lanes;
    std::vector<std::vector<std::uint32_t>> results;

    Screen() : lanes(kLanes), results(kLigands)
    {
        for (auto& r : results) r.assign(dock::kPoses, 0u);
    }

    double run(int lanesInUse, int ligands)
    {
        using Clock = std::chrono::steady_clock;
        const auto t0 = Clock::now();
        for (int i = 0; i < ligands; ++i) lanes[i % lanesInUse].score(makeLigand(i), results[i]);
        for (int l = 0; l < lanesInUse; ++l) lanes[l].wait();
        return std::chrono::duration<double>(Clock::now() - t0).count();
    }

    long mismatches() const
    {
        long n = 0;
        for (int i = 0; i < kLigands; ++i) {
            const dock::Ligand l = makeLigand(i);
            for (int p = 0; p < dock::kPoses; ++p)
                n += results[i][p] != dock::energy(l, std::uint32_t(p));
        }
        return n;
    }
};

}  // namespace

int main()
{
    dock::Device device;
    Screen screen;

    screen.run(1, 1);
    const double quarter = screen.run(1, kLigands / kLanes);
    const double whole = screen.run(kLanes, kLigands);
    const double ratio = whole / quarter;
    std::fprintf(stderr, "%d ligands on %d lanes: %.1f ms\n", kLigands, kLanes, 1e3 * whole);

    if (const long n = screen.mismatches())
        std::printf("WRONG %ld\n", n);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
