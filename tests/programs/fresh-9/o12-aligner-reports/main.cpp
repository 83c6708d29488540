#include "aligner.h"
#include <chrono>

using namespace align;

static double runSamples(Aligner& aligner, const std::deque<Reads>& samples, int count) {
    const auto t0 = std::chrono::steady_clock::now();
    for (int s = 0; s < count; ++s) aligner.submit(s, samples[s]);
    aligner.collect();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

int main() {
    constexpr int kSamples = 4;
    constexpr size_t kReads = 1 << 18;
    const Scoring sc;
    std::deque<Reads> samples;
    for (int s = 0; s < kSamples; ++s) {
        samples.emplace_back(kReads);
        unsigned x = 99u + s;
        for (auto& b : samples.back()) b = "ACGT"[(x = x * 1103515245u + 12345u) >> 30];
    }

    Aligner aligner(kSamples, kReads, sc);
    runSamples(aligner, samples, kSamples);
    const double alone = runSamples(aligner, samples, 1);
    const double together = runSamples(aligner, samples, kSamples);

    int wrong = 0;
    for (const auto& [sample, report] : aligner.collect())
        for (size_t i = 0; i < kReads; i += 97)
            if (report.scores[i] != scoreOnHost(samples[sample], i, sc)) ++wrong;

    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (together > 1.5 * alone) std::printf("SLOW %.2f\n", together / alone);
    else std::printf("DONE\n");
    return 0;
}
