// Elevation tiles resident on the device, oldest out first.
//
//     terrain::TileCache cache({128, 16, 2}, stream);
//     cache.put(key, heights);                  // heights: edge*edge floats, in metres
//     cache.shade(key, {1.f, 2.f}, d_out);      // d_out: edge*edge floats on the device
//
// Everything a cache does on the device goes into the stream given to its constructor, in the order of
// the calls; calls return without waiting for the device. The array given to put() may be reused as soon as
// put() has returned. A key that is put again replaces its tile.
#pragma once

#include "staging.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace terrain {

struct CacheLimits {
    int edge;          // samples along one side of a tile
    int tiles;         // tiles kept on the device
    int stagingSlots;  // pinned buffers to begin with
};

struct Light {
    float east, north;
};

using TileKey = std::uint64_t;

class TileCache {
public:
    TileCache(CacheLimits limits, cudaStream_t stream);
    ~TileCache();
    TileCache(const TileCache&) = delete;
    TileCache& operator=(const TileCache&) = delete;

    void put(TileKey key, const float* heights);
    bool shade(TileKey key, Light light, float* out);

private:
    int placeFor(TileKey key);
    std::size_t samples() const noexcept { return std::size_t(limits_.edge) * limits_.edge; }

    CacheLimits limits_;
    cudaStream_t stream_;
    StagingArena arena_;
    unsigned char* tiles_ = nullptr;
    int cursor_ = 0;
    std::vector<std::optional<TileKey>> holds_;
    std::unordered_map<TileKey, int> index_;
};

}  // namespace terrain
