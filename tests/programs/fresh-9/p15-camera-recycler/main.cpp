#include "analyser.h"
#include <cstdio>

namespace {

void expose(cam::Frame& f, std::size_t pixels, int number, cam::Stats& truth) {
    f.number = number;
    std::uint32_t s = 17u * static_cast<std::uint32_t>(number) + 1u;
    truth = {0, 0};
    for (std::size_t i = 0; i < pixels; ++i) {
        s = s * 22695477u + 1u;
        const std::uint32_t v = s >> 18;
        f.pixels[i] = v;
        truth.sum += v;
        if (v > truth.peak) truth.peak = v;
    }
}

int run() {
    constexpr std::size_t pixels = 1u << 18;
    constexpr int frames = 16;

    cam::FramePool pool(pixels, 3);
    std::vector<cam::Stats> truth(frames), seen(frames, cam::Stats{0, 0});
    std::mutex seen_lock;
    int delivered = 0;

    {
        cam::Analyser analyser(pixels, [&](int frame, const cam::Stats& s) {
            std::lock_guard<std::mutex> lock(seen_lock);
            seen[frame] = s;
            ++delivered;
        });
        for (int n = 0; n < frames; ++n) {
            auto frame = pool.grab();
            expose(*frame, pixels, n, truth[n]);
            analyser.analyse(std::move(frame));
        }
        analyser.drain();
    }

    int wrong = delivered != frames;
    for (int n = 0; n < frames; ++n) wrong += truth[n].sum != seen[n].sum || truth[n].peak != seen[n].peak;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::puts("DONE");
    return wrong ? 1 : 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const cam::Failure& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
