#include "mixer.h"

int main() {
    MixConfig cfg;
    Mixer mixer(cfg);
    for (int f = 0; f < cfg.frames; ++f) mixer.push(f);
    mixer.finish();

    const auto video = mixer.video_levels();
    const auto audio = mixer.audio_levels();

    int wrong = 0;
    std::uint32_t previous = 0;
    for (int f = 0; f < cfg.frames; ++f) {
        const std::uint32_t gain = f > 0 ? (previous & 1u) : 0u;
        std::uint32_t brightness = 0, loudness = 0;
        for (int i = 0; i < cfg.pixels; ++i)
            brightness += ((static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(f) * 3u) & 0xffu) + gain;
        const std::uint32_t duck = brightness & 3u;
        for (int i = 0; i < cfg.samples; ++i)
            loudness += ((static_cast<std::uint32_t>(i) * 5u + static_cast<std::uint32_t>(f)) & 0x7fu) + duck;
        wrong += brightness != video[f];
        wrong += loudness != audio[f];
        previous = loudness;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::puts("DONE");
    return wrong ? 1 : 0;
}
