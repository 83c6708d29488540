#include "exporter.h"
#include <chrono>

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point t) { return std::chrono::duration<double, std::milli>(Clock::now() - t).count(); }

std::size_t verify(const tiles::Exporter& e, int lane, int tile) {
    std::size_t bad = 0;
    const auto& img = e.image(lane);
    for (std::size_t i = 0; i < e.pixels(); ++i)
        bad += img[i] != tiles::shade(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(tile));
    return bad;
}

}  // namespace

int main() {
    tiles::Exporter exporter{tiles::ExportOptions{}};
    std::size_t bad = 0;

    for (int l = 0; l < exporter.lanes(); ++l) {
        exporter.render(l, 1000 + l);
        exporter.wait(l);
    }

    auto t = Clock::now();
    exporter.render(0, 7);
    exporter.wait(0);
    const double one = ms_since(t);
    bad += verify(exporter, 0, 7);

    constexpr int rounds = 4;
    double busy = 0;
    for (int r = 0; r < rounds; ++r) {
        t = Clock::now();
        for (int l = 0; l < exporter.lanes(); ++l) exporter.render(l, r * exporter.lanes() + l);
        for (int l = 0; l < exporter.lanes(); ++l) exporter.wait(l);
        busy += ms_since(t);
        for (int l = 0; l < exporter.lanes(); ++l) bad += verify(exporter, l, r * exporter.lanes() + l);
    }

    const double ratio = busy / (one * rounds);
    if (bad) std::printf("WRONG %zu\n", bad);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::puts("DONE");
    return bad || ratio > 1.5 ? 1 : 0;
}
