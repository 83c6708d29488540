#pragma once
#include <cuda_runtime.h>
#include <cstdint>

namespace imaging {

constexpr int kLevels = 256;

__global__ void count_levels(const std::uint8_t* in, int n, unsigned* levels);
__global__ void level_table(const unsigned* levels, int n, std::uint8_t* table);
__global__ void smooth(const std::uint8_t* in, int width, int height, std::uint8_t* out);
__global__ void map_levels(const std::uint8_t* in, int n, const std::uint8_t* table, std::uint8_t* out);

}  // namespace imaging
