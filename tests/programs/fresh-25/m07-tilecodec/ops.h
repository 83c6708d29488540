#pragma once

#include "codec.h"

namespace tilecodec::ops {

// Undoes the delta coding of the symbols: plane[i] = symbols[i] - bias.
void dequantise(const std::uint16_t* symbols, int* plane, std::uint16_t bias, geometry g,
                cudaStream_t stream = nullptr);

// Maps a plane to the output range in place: v -> 3 * v + 1.
void normalise(int* plane, geometry g, cudaStream_t stream = nullptr);

// Vertical mirror, bottom-up planes to top-down pictures.
void flip(const int* plane, int* picture, geometry g, cudaStream_t stream = nullptr);

}  // namespace tilecodec::ops
