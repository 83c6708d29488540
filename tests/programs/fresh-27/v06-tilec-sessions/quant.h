#pragma once

#include <cstdint>

namespace tilec {

constexpr int kTile = 64;

/// Step sizes of the 64 coefficients of a tile for a quality of 1 (coarse) to 100 (fine).
void buildSteps(int quality, int32_t* steps);

}  // namespace tilec
