#include "sequencer.h"

#include <cmath>
#include <cstdio>

int main() {
    us::ScanConfig cfg;
    long wrong = 0;
    {
        us::Sequencer seq(cfg);
        for (int shot = 0; shot < cfg.shots; ++shot) {
            const float level = seq.fire(shot);
            const auto& img = seq.collect();
            for (int c = 0; c < cfg.channels; ++c) {
                for (int i = 0; i < cfg.samples; ++i) {
                    const int phase = (i * (c + 3) + shot * 17) % 256;
                    const float want = std::fabs(static_cast<float>(phase) - 128.f) * cfg.gain;
                    const float got = img[static_cast<size_t>(c) * cfg.samples + i];
                    if (std::fabs(want - got) > level * 1e-3f) ++wrong;
                }
            }
            std::printf("shot %d noise %.2f\n", shot, level);
        }
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
