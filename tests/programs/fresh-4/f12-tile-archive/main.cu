#include "lane.hpp"

#include <chrono>

using namespace archive;

namespace {

struct Options {
    int lanes = 4;
    int rounds = 3;
    std::size_t tile_elems = 1u << 18;
};

double run_seconds(std::vector<Lane>& lanes, int active, int rounds) {
    const auto begin = std::chrono::steady_clock::now();
    int tile = 0;
    for (int r = 0; r < rounds; ++r)
        for (int l = 0; l < active; ++l) lanes[l].compress(tile++);
    for (int l = 0; l < active; ++l) lanes[l].finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
    const Options opt;
    std::vector<Lane> lanes;
    lanes.reserve(opt.lanes);
    for (int l = 0; l < opt.lanes; ++l) lanes.emplace_back(l, opt.tile_elems);

    run_seconds(lanes, opt.lanes, 1);
    const double single = run_seconds(lanes, 1, opt.rounds);
    const double full = run_seconds(lanes, opt.lanes, opt.rounds);

    long wrong = 0;
    for (const auto& l : lanes) wrong += l.mismatches();
    const double ratio = full / single;
    std::printf("one lane %.1f ms, %d lanes %.1f ms\n", single * 1e3, opt.lanes, full * 1e3);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
