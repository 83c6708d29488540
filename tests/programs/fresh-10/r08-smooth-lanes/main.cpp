// Ultrasound front end: all elements of the probe are processed at the same time.
#include <chrono>
#include <cstdio>

#include "probe.h"

namespace {

int give_up(const echo::Outcome& o) {
    std::printf("ERROR %s\n", o.code == echo::Code::Device ? cudaGetErrorName(o.cuda) : "stage");
    return 1;
}

}  // namespace

int main() {
    using Clock = std::chrono::steady_clock;
    constexpr int kElements = 5;
    echo::Probe probe(kElements, 64, 512);
    if (auto o = probe.open({"rectify", "smooth", "compress"}); !o) return give_up(o);
    if (auto o = probe.scan(kElements); !o) return give_up(o);

    const auto t0 = Clock::now();
    if (auto o = probe.scan(1); !o) return give_up(o);
    const auto t1 = Clock::now();
    if (auto o = probe.scan(kElements); !o) return give_up(o);
    const auto t2 = Clock::now();

    if (const int bad = probe.mismatches()) {
        std::printf("WRONG %d\n", bad);
        return 1;
    }
    const double ratio = std::chrono::duration<double>(t2 - t1) / std::chrono::duration<double>(t1 - t0);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
