#include <chrono>
#include "farm.h"

namespace {

using Clock = std::chrono::steady_clock;

double millis(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

void renderFrame(farm::RenderFarm& nodes, int tiles, int* frame) {
    std::vector<std::future<void>> done;
    for (int t = 0; t < tiles; ++t) done.push_back(nodes.render(t, frame + t * farm::kTilePixels));
    for (auto& d : done) d.get();
}

}  // namespace

int main() {
    constexpr int kTiles = 24;
    int* frame = nullptr;
    farm::demand(cudaMallocHost(&frame, std::size_t(kTiles) * farm::kTilePixels * sizeof(int)));

    int wrong = 0;
    double reported = 0.0, elapsed = 0.0;
    {
        farm::RenderFarm nodes(4);
        renderFrame(nodes, kTiles, frame);
        nodes.settle();

        const auto begin = Clock::now();
        renderFrame(nodes, kTiles, frame);
        reported = millis(Clock::now() - begin);
        nodes.settle();
        elapsed = millis(Clock::now() - begin);

        for (int t = 0; t < kTiles; ++t)
            for (int i = 0; i < farm::kTilePixels; ++i)
                if (frame[t * farm::kTilePixels + i] != ((i * 3 + t * 7) & 255)) ++wrong;
    }
    cudaFreeHost(frame);
    std::fprintf(stderr, "%d tiles, %.1f tiles/s\n", kTiles, 1000.0 * kTiles / reported);
    const double ratio = elapsed / reported;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
