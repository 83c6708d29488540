#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

#include "correlator.h"

using namespace ingest;

int main() {
    try {
        std::vector<uint32_t> taps(kTaps);
        for (int i = 0; i < kTaps; ++i) taps[static_cast<size_t>(i)] = tap_of(static_cast<uint32_t>(i));

        Correlator correlator(taps);
        unsigned long long base[kDepth] = {};
        for (int d = 0; d < kDepth; ++d) {
            uint32_t* s = correlator.intake(d).data();
            const uint32_t* h = taps.data();
            unsigned long long sum = 0;
            for (uint32_t i = 0; i < kChunkSamples; ++i) {
                s[i] = sample_of(d, i);
                if (i) sum += static_cast<unsigned long long>(s[i]) * h[i % kTaps];
            }
            base[d] = sum;
        }

        Timing t;
        correlator.calibrate(&t);
        correlator.process(&t);

        long bad = correlator.lines() != static_cast<unsigned long long>(kChunks);
        for (int k = 0; k < kChunks; ++k) {
            const unsigned long long want = base[k % kDepth] + static_cast<unsigned long long>(k) * taps[0];
            bad += correlator.result(k) != want;
        }
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        const double longer = std::max(t.copy_ms, t.work_ms);
        const double honest = kChunks * longer + std::min(t.copy_ms, t.work_ms);
        if (t.total_ms > 1.5 * honest) {
            std::printf("SLOW %.2f\n", t.total_ms / honest);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
