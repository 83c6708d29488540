#include "compactor.h"

#include <cstdio>
#include <vector>

int main()
{
    constexpr int kSamples = 4096;
    constexpr int kBatches = 16;

    telem::staging_resource staging(kSamples * sizeof(int), 4);
    telem::compactor store(staging, 2, kSamples);

    std::vector<long long> expected(kSamples, 0);
    std::vector<int> samples(kSamples);
    for (int b = 0; b < kBatches; ++b) {
        for (int i = 0; i < kSamples; ++i) {
            samples[i] = (i * 7 + b * 13) % 1001;
            expected[i] += static_cast<long long>(samples[i]) * (b + 1);
        }
        store.submit(b, samples);
    }

    const std::vector<long long> got = store.collect();
    long wrong = 0;
    for (int i = 0; i < kSamples; ++i) wrong += got[i] != expected[i];
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
