// Throughput of the archive encoder on scenes of one panchromatic and five
// multispectral tiles, as it goes into the capacity plan.
#include "bench.h"

using namespace archive;

static std::vector<SceneTile> make_scenes(int scenes)
{
    std::vector<SceneTile> tiles;
    for (int s = 0; s < scenes; ++s) {
        tiles.push_back({Band::Panchromatic, 0x1000u + s});
        for (int b = 0; b < 5; ++b) tiles.push_back({Band::Multispectral, 0x2000u + 16u * s + b});
    }
    return tiles;
}

static int verify(const std::vector<SceneTile> &tiles, const std::vector<CodedTile> &coded)
{
    int wrong = 0;
    for (std::size_t t = 0; t < tiles.size(); ++t)
        for (int i = 0; i < kTileWords; ++i)
            if (coded[t].words[i] != reference_word(tiles[t], i)) ++wrong;
    return wrong;
}

static int bench()
{
    const auto tiles = make_scenes(4);
    std::vector<CodedTile> coded(tiles.size());
    Encoder encoder;
    auto submit = [&](int i) { encoder.submit(tiles[i], coded[i]); };

    // Warm-up: every kernel, every lane, every buffer.
    measure(int(tiles.size()), submit, [&] { encoder.drain(); });
    ARCHIVE_CHECK(cudaDeviceSynchronize());

    const Throughput reported = measure(int(tiles.size()), submit, [&] { encoder.drain(); });
    ARCHIVE_CHECK(cudaDeviceSynchronize());
    const int wrong = verify(tiles, coded);

    std::fprintf(stderr, "archive encoder: %.1f tiles/s\n", reported.tiles_per_second());

    const Throughput audit = measure(int(tiles.size()), submit, [] { ARCHIVE_CHECK(cudaDeviceSynchronize()); });
    const double ratio = reported.tiles_per_second() / audit.tiles_per_second();

    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5 || ratio < 1 / 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}

int main()
{
    try {
        return bench();
    } catch (const CudaError &e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
