#pragma once

#include "codec.hpp"

namespace pixpack {

/// A quantiser step for each of the blocks, row after row.
void fill_steps(float* steps, int blocks_x, int blocks_y, const rate& r);

}  // namespace pixpack
