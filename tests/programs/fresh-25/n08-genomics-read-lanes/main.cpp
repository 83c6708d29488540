#include "aligner.h"
#include <cstdio>

int main() {
    try {
        gx::AlignerConfig config;
        gx::RunCounters counters;
        auto aligner = gx::makeBandedAligner(config, counters);

        auto start = gx::Clock::now();
        aligner->enqueue(0);
        aligner->finish();
        double single = gx::millisSince(start);

        start = gx::Clock::now();
        for (int b = 0; b < config.batches; ++b) aligner->enqueue(b);
        aligner->finish();
        double all = gx::millisSince(start);

        long wrong = 0;
        auto scores = aligner->scores();
        for (int b = 0; b < config.batches; ++b) {
            for (int r = 0; r < config.reads; ++r) {
                std::size_t at = static_cast<std::size_t>(b) * config.reads + r;
                if (scores[at] != gx::expectedScore(b, r)) ++wrong;
            }
        }
        auto want = static_cast<unsigned long long>(config.batches + 1) * config.reads;
        if (counters.total() != want) ++wrong;

        double ideal = single * ((config.batches + config.lanes - 1) / config.lanes);
        double ratio = all / ideal;
        std::fprintf(stderr, "single %.1f ms, run %.1f ms\n", single, all);
        if (wrong) std::printf("WRONG %ld\n", wrong);
        else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
        else std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
