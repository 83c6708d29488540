#include <cstdio>
#include <exception>
#include <map>
#include <vector>

#include "renderer.h"

namespace {

int mismatches(const tiles::Renderer& renderer, tiles::TileId id, int index, int side) {
    std::vector<std::uint16_t> in(renderer.pixels());
    tiles::Renderer::elevation(id, side, in.data());
    const std::uint16_t* out = renderer.shaded(index);
    int off = 0;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const int i = y * side + x;
            const int here = in[i];
            const int east = x + 1 < side ? in[i + 1] : here;
            const int south = y + 1 < side ? in[i + side] : here;
            off += out[i] != std::uint16_t(32768 + 2 * (east - here) + 3 * (south - here));
        }
    return off;
}

}  // namespace

int main() {
    constexpr int side = 256, columns = 5, rows = 3;
    try {
        tiles::StagingPool pool(3, std::size_t(side) * side);
        tiles::Renderer renderer(pool, side, 2, columns * rows);
        std::map<int, tiles::TileId> placed;
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) {
                const tiles::TileId id{x, y};
                placed.emplace(renderer.submit(id), id);
            }
        renderer.flush();

        int wrong = 0;
        for (const auto& [index, id] : placed) wrong += mismatches(renderer, id, index, side);
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
