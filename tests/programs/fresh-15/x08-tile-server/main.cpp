#include <cstdio>

#include "renderer.cuh"

namespace {

constexpr size_t kTileBytes = 256 * 256;
constexpr int kTiles = 40;

void readTile(int index, uint8_t* out) {
    uint32_t h = 0x9e3779b9u * static_cast<uint32_t>(index + 1);
    for (size_t i = 0; i < kTileBytes; ++i) {
        h ^= h << 13;
        h ^= h >> 17;
        h ^= h << 5;
        out[i] = static_cast<uint8_t>((h & 0x7f) + index * 3);
    }
}

tiles::Style styleFor(int index) {
    tiles::Style style{};
    for (int i = 0; i < 16; ++i) style.gamma[i] = static_cast<uint8_t>((i * (index % 5 + 3)) & 0xff);
    style.shift = index % 4;
    return style;
}

unsigned serve(tiles::Renderer& renderer, tiles::TilePool& pool, int index) {
    auto tile = pool.borrow();
    readTile(index, tile.get());
    const tiles::Style style = styleFor(index);
    unsigned expect = 0;
    for (size_t i = 0; i < kTileBytes; ++i) expect += style.gamma[(tile.get()[i] >> style.shift) & 15];
    renderer.post(index, std::move(tile), style);
    return expect;
}

}  // namespace

int main() {
    try {
        auto pool = tiles::TilePool::create(6, kTileBytes);
        int wrong = 0;
        {
            tiles::Renderer renderer(3, kTileBytes, kTiles);
            std::vector<unsigned> expected;
            for (int i = 0; i < kTiles; ++i) expected.push_back(serve(renderer, *pool, i));
            const auto got = renderer.results();
            for (int i = 0; i < kTiles; ++i) wrong += got[i] != expected[i];
        }
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const tiles::ServiceError& e) {
        std::printf("ERROR %s\n", cudaGetErrorName(e.code));
        return 2;
    }
}
