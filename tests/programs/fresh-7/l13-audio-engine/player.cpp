#include "engine.h"

int main() {
    std::atomic<int> bad{0};
    std::atomic<int> delivered{0};
    const auto sink = [&](int period, const short* pcm, int frames) {
        for (int i = 0; i < frames; ++i) {
            const int v = (period * 37 + i) % 9000 * 4;
            if (pcm[i] != (v > 32767 ? 32767 : v)) ++bad;
        }
        ++delivered;
    };

    constexpr int kPeriods = 16;
    audio::Engine engine({44100, 512}, sink);
    for (int period = 0; period < kPeriods; ++period) engine.process(period);
    engine.setFormat({96000, 1024});
    for (int period = kPeriods; period < 2 * kPeriods; ++period) engine.process(period);
    engine.stop();

    if (bad != 0 || delivered != 2 * kPeriods)
        std::printf("WRONG %d\n", bad + 2 * kPeriods - delivered);
    else
        std::printf("DONE\n");
    return 0;
}
