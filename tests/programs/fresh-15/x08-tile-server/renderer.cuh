#pragma once
#include "tilepool.h"

namespace tiles {

struct Style {
    uint8_t gamma[16];
    int shift;
};

// Turns height tiles into shaded sums, one figure per tile.
class Renderer {
public:
    Renderer(int streams, size_t tileBytes, int capacity);
    ~Renderer();
    void post(int index, TilePool::Lease tile, const Style& style);
    std::vector<unsigned> results();

private:
    size_t tileBytes_;
    std::vector<cudaStream_t> streams_;
    std::vector<uint8_t*> scratch_;
    unsigned* shaded_ = nullptr;
    int capacity_;
};

}  // namespace tiles
