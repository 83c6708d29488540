#include "net.h"

#include <cstdio>
#include <numeric>

namespace {

std::uint32_t tap(std::size_t layer, std::size_t i) {
    return static_cast<std::uint32_t>((i * 97 + layer * 1231) % 4093);
}

int run() {
    constexpr std::size_t kPixels = 100'000;
    constexpr std::size_t kLayers = 4;

    DenoiseNet net(kPixels, kLayers);
    for (std::size_t l = 0; l < kLayers; ++l) net.layer([l](std::size_t i) { return tap(l, i); });
    net.build();

    std::size_t wrong = 0;
    for (std::uint32_t frame = 0; frame < 4; ++frame) {
        std::vector<std::uint32_t> image(kPixels);
        std::iota(image.begin(), image.end(), frame * 7919u);
        const auto got = net.infer(image);
        for (std::size_t i = 0; i < kPixels; ++i) {
            std::uint32_t v = image[i];
            for (std::size_t l = 0; l < kLayers; ++l) v = v * 3u + tap(l, i % kTaps);
            wrong += v != got[i];
        }
    }
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
