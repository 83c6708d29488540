// Rank server: four lanes work side by side, requests are dealt out in turn.
#include "lane.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

namespace {

constexpr int kLanes = 4;
constexpr int kTurns = 4;

template <class F>
double seconds(F&& f) {
    const auto t0 = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

int run() {
    std::vector<std::unique_ptr<Lane>> lanes;
    std::generate_n(std::back_inserter(lanes), kLanes, [] { return std::make_unique<Lane>(kTurns); });
    for (auto& l : lanes) {
        l->submit(0, 0);
        l->wait();
    }

    const double one = seconds([&] {
        for (int t = 0; t < kTurns; ++t) lanes[0]->submit(t, t);
        lanes[0]->wait();
    });
    const double all = seconds([&] {
        for (int t = 0; t < kTurns; ++t)
            for (int l = 0; l < kLanes; ++l) lanes[l]->submit(t, t * kLanes + l);
        for (auto& l : lanes) l->wait();
    });

    std::size_t wrong = 0;
    for (int t = 0; t < kTurns; ++t)
        for (int l = 0; l < kLanes; ++l)
            for (std::size_t i = 0; i < kFeatures; ++i)
                wrong += lanes[l]->scores(t)[i] != static_cast<float>((i + (t * kLanes + l) * 131) % 1000) * 2.0f + 1.0f;

    std::printf("%.1f requests/s\n", kLanes * kTurns / all);
    const double ratio = all / one;
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
