#pragma once

#include <cstdint>
#include <vector>

#include "staging_pool.h"

namespace tiles {

struct TileId {
    int x, y;
};

class Renderer {
public:
    Renderer(StagingPool& pool, int side, int lanes, int capacity);
    ~Renderer();

    // Elevation in, hill shade out; returns the index of the tile in the atlas.
    int submit(TileId id);
    void flush();
    const std::uint16_t* shaded(int index) const { return atlas_ + pixels_ * index; }
    std::size_t pixels() const { return pixels_; }

    static void elevation(TileId id, int side, std::uint16_t* out);

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        std::uint16_t* in = nullptr;
        std::uint16_t* out = nullptr;
    };
    static void keepFor(cudaStream_t stream, Lease lease);

    StagingPool& pool_;
    int side_;
    std::size_t pixels_;
    std::vector<Lane> lanes_;
    std::uint16_t* atlas_ = nullptr;
    int submitted_ = 0;
};

}  // namespace tiles
