#include "tile_encoder.h"
#include <chrono>

int main()
{
    using clock = std::chrono::steady_clock;
    const codec::EncoderConfig config;
    const int rounds = 4;
    long wrong = 0;
    double ratio = 0;
    {
        codec::TileEncoder encoder(config);
        std::vector<std::unique_ptr<codec::Tile>> tiles;
        for (int r = 0; r < rounds; ++r)
            for (int l = 0; l < config.lanes; ++l)
                tiles.push_back(std::make_unique<codec::Tile>(
                    r % 2 ? config.max_samples : config.max_samples * 2 / 3, r * 16 + l));

        std::vector<std::unique_ptr<codec::Tile>> preview;
        for (int l = 0; l < config.lanes; ++l)
            preview.push_back(std::make_unique<codec::Tile>(config.max_samples, 99 + l));
        for (auto& tile : preview) encoder.encode(*tile);
        encoder.drain();

        const auto begin = clock::now();
        for (auto& tile : tiles) encoder.encode(*tile);
        encoder.drain();
        const double ms = std::chrono::duration<double, std::milli>(clock::now() - begin).count();
        ratio = ms / (rounds * config.search_ms);

        for (auto& tile : tiles) wrong += tile->mismatches();
        for (auto& tile : preview) wrong += tile->mismatches();
        std::printf("%zu tiles in %.1f ms\n", tiles.size(), ms);
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
