#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "bench.h"
#include "codec.h"

namespace {

std::vector<std::uint8_t> testCard(const codec::Format& f) {
    std::vector<std::uint8_t> luma(f.pixels());
    for (int y = 0; y < f.height; ++y)
        for (int x = 0; x < f.width; ++x)
            luma[y * f.width + x] = std::uint8_t((x * 5 + y * 3 + (x ^ y)) & 255);
    return luma;
}

double wallPerFrame(codec::BlockEncoder& encoder, int frames) {
    encoder.drain();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < frames; ++i) encoder.encode();
    encoder.drain();
    const std::chrono::duration<double, std::milli> span =
        std::chrono::steady_clock::now() - begin;
    return span.count() / frames;
}

}  // namespace

int main() {
    const codec::Format format;
    const auto luma = testCard(format);
    codec::BlockEncoder encoder(format);
    encoder.load(luma);

    bench::Runner runner;
    const bench::Result result =
        runner.run("encode 1024x512", [&](cudaStream_t) { encoder.encode(); });
    const double reported = std::max(1e-3, double(result.median()));
    const double wall = wallPerFrame(encoder, runner.options().repetitions);

    int wrong = 0;
    const auto levels = encoder.fetch();
    for (int i = 0; i < format.pixels(); ++i) {
        const int left = i % format.width ? luma[i - 1] : 128;
        wrong += levels[i] != (int(luma[i]) - left) / format.quantum;
    }
    const double ratio = std::max(wall / reported, reported / wall);
    std::printf("%s: %.3f ms a frame\n", result.name.c_str(), reported);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
