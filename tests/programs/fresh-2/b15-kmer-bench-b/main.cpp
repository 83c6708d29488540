#include "kmer.cuh"
#include <algorithm>

int main() {
    const kmer::CounterConfig cfg;
    auto counter = kmer::makeCounter(cfg);

    bench::Harness harness({2, 10});
    const double ms = harness.measure(*counter);
    std::printf("%s: %.3f ms, %.2f Mbases/s\n", counter->name().c_str(), ms, cfg.bases / (ms * 1e3));

    const int rounds = harness.options().warmups + harness.options().repeats;
    const unsigned want = static_cast<unsigned>(rounds * (cfg.bases / cfg.bins));
    int bad = 0;
    for (unsigned v : counter->histogram())
        if (v != want) ++bad;

    const double scanMs = static_cast<double>(cfg.scanNs) * 1e-6;
    const double ratio = std::max(scanMs / std::max(ms, 1e-4), ms / scanMs);
    if (bad)
        std::printf("WRONG %d\n", bad);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
