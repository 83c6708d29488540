#include "lane.cuh"
#include <chrono>
#include <cmath>

namespace {

struct Survey {
    std::size_t samples = 1 << 16;
    int lanes = 4;
    int shots = 24;
    std::chrono::milliseconds perShot{20};
};

}  // namespace

int main() {
    using clock = std::chrono::steady_clock;
    const Survey cfg;

    std::vector<std::unique_ptr<seis::Lane>> lanes;
    for (int i = 0; i < cfg.lanes; ++i) lanes.push_back(std::make_unique<seis::Lane>(cfg.samples));
    for (auto& lane : lanes) lane->prime();

    std::vector<std::unique_ptr<seis::Shot>> shots;
    for (int i = 0; i < cfg.shots; ++i)
        shots.push_back(std::make_unique<seis::Shot>(cfg.samples, static_cast<float>(i)));

    const auto ns = static_cast<unsigned long long>(std::chrono::nanoseconds(cfg.perShot).count());
    const auto begin = clock::now();
    for (int i = 0; i < cfg.shots; ++i) lanes[i % cfg.lanes]->migrate(*shots[i], ns);
    for (auto& lane : lanes) lane->wait();
    const double elapsed = std::chrono::duration<double, std::milli>(clock::now() - begin).count();

    int bad = 0;
    for (int i = 0; i < cfg.shots; ++i)
        for (float v : shots[i]->image)
            if (std::fabs(v - (2.0f * i + 1.0f)) > 1e-4f) ++bad;

    const double planned = static_cast<double>(cfg.perShot.count()) * cfg.shots / cfg.lanes;
    const double ratio = elapsed / planned;
    if (bad)
        std::printf("WRONG %d\n", bad);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
