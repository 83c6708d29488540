#pragma once
#include <vector>

#include "feed.h"

namespace slide {

void ok(cudaError_t e);
unsigned char archiveByte(int tile, int i);

// Reads tiles of a whole-slide archive and unpacks them on the device.
class Reader {
public:
    Reader(int tiles, int side, Feed& feed);
    ~Reader();
    void operator()();

private:
    Tile open(int number);
    void load(const Tile& t);

    int side_;
    Feed& feed_;
    cudaStream_t stream_{};
    std::vector<Tile> tiles_;
    std::vector<unsigned char*> packed_;      // pinned, one per tile
    std::vector<unsigned char*> devPacked_;
};

}  // namespace slide
