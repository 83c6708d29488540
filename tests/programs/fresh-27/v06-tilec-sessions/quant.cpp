#include "quant.h"

#include <algorithm>

namespace tilec {

void buildSteps(int quality, int32_t* steps) {
    const int scale = quality < 50 ? 5000 / std::max(quality, 1) : 200 - 2 * quality;
    for (int i = 0; i < kTile; ++i) {
        const int base = 8 + (i / 8) * 3 + (i % 8) * 2;
        steps[i] = std::max(1, (base * scale + 50) / 100);
    }
}

}  // namespace tilec
