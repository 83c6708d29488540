// Tiles of a satellite scene and the radiometric correction that is applied to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mosaic {

using Pixel = std::uint16_t;

struct SceneConfig {
    int tileSide = 512;
    int tiles = 16;
    int stagingBlocks = 3;
    int lanes = 2;
    unsigned correctionMicros = 40000;  // atmospheric model, per tile

    std::size_t tilePixels() const { return static_cast<std::size_t>(tileSide) * tileSide; }
};

struct Calibration {
    std::uint32_t gain = 1;
    std::uint32_t offset = 0;
};

inline Calibration calibrationOf(int tile) {
    Calibration c;
    c.gain = 181u + static_cast<std::uint32_t>(tile) * 6u;
    c.offset = 97u * static_cast<std::uint32_t>(tile);
    return c;
}

#ifdef __CUDACC__
#define MOSAIC_HD __host__ __device__
#else
#define MOSAIC_HD
#endif

MOSAIC_HD inline Pixel correctPixel(Pixel raw, const Calibration& c) {
    const std::uint32_t wide = static_cast<std::uint32_t>(raw) * c.gain + c.offset;
    return static_cast<Pixel>(wide >> 8);
}

// Decodes tiles of the scene; stands for the archive reader.
class TileReader {
public:
    explicit TileReader(const SceneConfig& config) : config_(config) {}

    void decode(int tile, Pixel* out) const {
        std::uint32_t state = 0x9e3779b9u * static_cast<std::uint32_t>(tile + 1);
        const std::size_t n = config_.tilePixels();
        for (std::size_t i = 0; i < n; ++i) {
            state = state * 1664525u + 1013904223u;
            out[i] = static_cast<Pixel>(state >> 16);
        }
    }

private:
    SceneConfig config_;
};

}  // namespace mosaic
