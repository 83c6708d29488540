// Builds a corrected mosaic of one scene and verifies every tile.
#include "mosaic_builder.h"

#include <chrono>
#include <cstdio>

using namespace mosaic;

static int countBadTiles(const SceneConfig& config, const MosaicBuilder& builder) {
    const TileReader reader(config);
    std::vector<Pixel> raw(config.tilePixels());
    int bad = 0;
    for (int tile = 0; tile < config.tiles; ++tile) {
        reader.decode(tile, raw.data());
        const Calibration calibration = calibrationOf(tile);
        const Pixel* got = builder.tileOutput(tile);
        for (std::size_t i = 0; i < raw.size(); ++i) {
            if (got[i] != correctPixel(raw[i], calibration)) {
                ++bad;
                break;
            }
        }
    }
    return bad;
}

int main() {
    try {
        SceneConfig config;
        MosaicBuilder builder(config);

        const auto start = std::chrono::steady_clock::now();
        builder.build();
        const double ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        std::printf("%d tiles in %.1f ms, %d blocks reclaimed\n", config.tiles, ms, builder.reclaimed());

        const int bad = countBadTiles(config, builder);
        if (bad > 0) {
            std::printf("WRONG %d\n", bad);
            return 1;
        }
    } catch (const CudaFailure& e) {
        std::fprintf(stderr, "%s\n", e.what());
        std::printf("ERROR %s\n", cudaGetErrorName(e.code));
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 3;
    }
    std::printf("DONE\n");
    return 0;
}
