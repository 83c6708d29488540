// Rover navigation: disparities of a stereo pair, image after image.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "matcher.h"

namespace {

constexpr int kWidth = 320, kHeight = 96, kDisparities = 16;

using Image = std::vector<std::uint8_t>;

Image scenery(int seed) {
    Image im(kWidth * kHeight);
    unsigned state = 77u + seed;
    for (auto& p : im) {
        state = state * 1664525u + 1013904223u;
        p = static_cast<std::uint8_t>(state >> 24);
    }
    return im;
}

Image moved(const Image& left, int by) {
    Image right(left.size());
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) right[y * kWidth + x] = left[y * kWidth + (x + by) % kWidth];
    return right;
}

Image bestOf(const Image& from, const Image& to, int direction) {
    Image best(from.size());
    for (int i = 0; i < kWidth * kHeight; ++i) {
        int least = 256;
        for (int d = 0; d < kDisparities; ++d) {
            const int x = i % kWidth + direction * d;
            const int cost = x < 0 || x >= kWidth ? 255 : std::abs(int(from[i]) - int(to[i + direction * d]));
            if (cost < least) {
                least = cost;
                best[i] = static_cast<std::uint8_t>(d);
            }
        }
    }
    return best;
}

int drive() {
    stereo::Matcher matcher(kWidth, kHeight, kDisparities);
    int bad = 0;
    for (int view = 0; view < 6; ++view) {
        const Image left = scenery(view);
        const Image right = moved(left, 2 * view + 1);
        const std::uint8_t* got = matcher.match(left, right);
        const Image a = bestOf(left, right, -1), b = bestOf(right, left, +1);
        for (int i = 0; i < kWidth * kHeight; ++i) {
            const int other = i % kWidth >= a[i] ? i - a[i] : i;
            bad += got[i] != (b[other] == a[i] ? a[i] : 255);
        }
    }
    return bad;
}

}  // namespace

int main() {
    try {
        if (const int bad = drive()) {
            std::printf("WRONG %d\n", bad);
            return 1;
        }
    } catch (const stereo::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
