#pragma once

#include <cstddef>
#include <cstdint>

namespace daq {

// Two's complement samples of 12 bits, the low byte of the first one first.
static __global__ void unpack12(const std::uint8_t* packed, std::int16_t* samples, std::size_t pairs) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    const std::uint32_t word = packed[3 * i] | packed[3 * i + 1] << 8 | packed[3 * i + 2] << 16;
    samples[2 * i] = static_cast<std::int16_t>(static_cast<std::int32_t>(word << 20) >> 20);
    samples[2 * i + 1] = static_cast<std::int16_t>(static_cast<std::int32_t>(word << 8) >> 20);
}

}  // namespace daq
