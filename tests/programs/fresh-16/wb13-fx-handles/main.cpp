#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "mixer.h"

int main() {
    using namespace mixer;
    constexpr int kSamples = 1 << 16, kTracks = 5;

    Desk desk;
    for (int t = 0; t < kTracks; ++t) desk.add(std::make_unique<Track>(kSamples, 2 + t, 30));

    std::vector<std::vector<int>> pcm(kTracks, std::vector<int>(kSamples));
    for (int t = 0; t < kTracks; ++t)
        for (int i = 0; i < kSamples; ++i) pcm[t][i] = (i * 37 + t * 101) % 4001 - 2000;

    auto load_all = [&] {
        for (int t = 0; t < kTracks; ++t) desk.track(t).load(pcm[t]);
        check(cudaDeviceSynchronize());
    };

    load_all();
    desk.render(kTracks);
    const double solo = desk.render(1);
    load_all();
    const double full = desk.render(kTracks);

    int wrong = 0;
    for (int t = 0; t < kTracks; ++t) {
        const std::vector<int> got = desk.track(t).samples();
        int peak = 0;
        for (int i = 0; i < kSamples; ++i) {
            const int want = pcm[t][i] * (2 + t) + (i & 3);
            peak = std::max(peak, std::abs(want));
            wrong += got[i] != want;
        }
        wrong += desk.track(t).peak() != peak;
    }
    const double ratio = full / solo;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
