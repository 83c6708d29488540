// Builds signed-distance sheets for the labels of a nautical chart at two sizes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>
#include "field.cuh"
#include "scratch_cache.h"

namespace {

int compare(const float* sheet, const std::vector<int>& codes, int size) {
    int bad = 0;
    const int area = size * size;
    for (int g = 0; g < static_cast<int>(codes.size()); ++g)
        for (int t = 0; t < area; ++t) {
            const int x = t % size, y = t / size;
            const int want = std::min(glyph::nearest(codes[g], x, y, size, 1, 0), glyph::nearest(codes[g], x, y, size, 0, 1));
            if (std::fabs(sheet[g * area + t] - static_cast<float>(want) / glyph::kReach) > 1e-5f) ++bad;
        }
    return bad;
}

}  // namespace

int main() {
    int bad = 0;
    {
        glyph::SheetBuilder soundings(24, 24), names(40, 48);
        std::vector<int> digits(24), letters(40);
        for (int edition = 0; edition < 3; ++edition) {
            std::iota(digits.begin(), digits.end(), 48 + edition * 5);
            std::iota(letters.begin(), letters.end(), 65 + edition * 3);
            bad += compare(soundings.render(digits.data()), digits, 24);
            bad += compare(names.render(letters.data()), letters, 48);
        }
    }
    glyph::ScratchCache::instance().clear();
    if (bad) std::printf("WRONG %d\n", bad);
    else std::printf("DONE\n");
    return 0;
}
