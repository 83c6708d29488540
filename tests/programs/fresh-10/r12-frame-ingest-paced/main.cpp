// Telescope guide camera: a burst of frames goes through the ingest stage.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "ingest.h"

namespace {

constexpr int kBurst = 10;

std::vector<std::uint16_t> expose(const ingest::Geometry& g, int index) {
    std::vector<std::uint16_t> frame(g.pixels());
    for (int i = 0; i < g.pixels(); ++i) frame[i] = static_cast<std::uint16_t>((i + 37 * index) % 251 + index);
    return frame;
}

int fail(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    return 1;
}

}  // namespace

int main() {
    const ingest::Geometry geometry{640, 64};
    ingest::PinnedPool pool(2);
    ingest::FrameIngest stage(geometry, kBurst, pool);
    if (cudaError_t e = stage.init()) return fail(e);

    std::vector<std::vector<std::uint16_t>> burst;
    for (int f = 0; f < kBurst; ++f) burst.push_back(expose(geometry, f));
    for (int f = 0; f < kBurst; ++f) {
        if (cudaError_t e = stage.submit(f, burst[f])) return fail(e);
    }
    if (cudaError_t e = stage.finish()) return fail(e);

    int wrong = 0;
    for (int f = 0; f < kBurst; ++f) {
        for (int y = 0; y < geometry.height; ++y) {
            std::uint32_t want = 0;
            for (int x = 0; x < geometry.width; ++x)
                want += burst[f][y * geometry.width + x] * static_cast<std::uint32_t>(x + 1);
            wrong += stage.digests(f)[y] != want;
        }
    }
    if (wrong != 0) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
