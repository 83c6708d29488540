#include "lane.h"
#include <chrono>

using namespace radio;

namespace {

int g_wrong = 0;

double observe(std::vector<Lane>& lanes, size_t bands, const LaneConfig& cfg, int ticks) {
    const auto t0 = std::chrono::steady_clock::now();
    for (int t = 0; t < ticks; ++t)
        for (size_t b = 0; b < bands; ++b) lanes[b].integrate(t);
    for (size_t b = 0; b < bands; ++b) {
        const Counters got = lanes[b].finish();
        const Counters want = Lane::expected(lanes[b].band(), cfg, ticks - 1);
        if (got.samples != want.samples || got.flagged != want.flagged) ++g_wrong;
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace

int main() {
    LaneConfig cfg;
    std::vector<Lane> lanes;
    lanes.reserve(4);
    for (int b = 0; b < 4; ++b) {
        cfg.urgent = b == 0;
        lanes.emplace_back(b, cfg);
    }
    observe(lanes, lanes.size(), cfg, 1);
    const double single = observe(lanes, 1, cfg, 4);
    const double all = observe(lanes, lanes.size(), cfg, 4);
    const double ratio = all / single;

    if (g_wrong) std::printf("WRONG %d\n", g_wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
