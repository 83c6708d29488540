#include <cstdio>

#include "decoder.cuh"

int main() {
    using namespace tiles;
    constexpr int kTiles = 24;
    WorkerPool pool(2);
    TileDecoder decoder(pool, 3, kTiles);
    for (int t = 0; t < kTiles; ++t) decoder.decode(t);
    const std::vector<int> image = decoder.fetch();

    int wrong = 0;
    for (int t = 0; t < kTiles; ++t)
        for (int i = 0; i < kTileElems; ++i)
            if (image[size_t(t) * kTileElems + i] != dequantised(t, i)) ++wrong;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
