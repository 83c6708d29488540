// Gain correction of a small seismic gather.
#include <cstdio>
#include <vector>

#include "executor.h"

int main() {
    constexpr int kTraces = 10;
    constexpr std::size_t kSamples = 4096;

    strata::SlabPool pool(3, kSamples);
    std::vector<std::vector<float>> gather(kTraces), corrected(kTraces);
    for (int t = 0; t < kTraces; ++t) {
        gather[t].resize(kSamples);
        for (std::size_t i = 0; i < kSamples; ++i) {
            gather[t][i] = static_cast<float>((i * 7 + t * 13) % 101);
        }
    }

    {
        strata::TraceExecutor exec(pool, 2);
        for (int t = 0; t < kTraces; ++t) {
            exec.submit(gather[t], 0.5f * (t + 1), &corrected[t]);
        }
        exec.settle();
    }

    long bad = 0;
    for (int t = 0; t < kTraces; ++t) {
        for (std::size_t i = 0; i < kSamples; ++i) {
            const float want = gather[t][i] * (0.5f * (t + 1)) + 1.0f;
            if (corrected[t].size() != kSamples || corrected[t][i] != want) ++bad;
        }
    }
    if (bad) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
