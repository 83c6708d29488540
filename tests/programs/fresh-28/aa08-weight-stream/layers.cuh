#pragma once
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kPacked = 1 << 18;        // packed words per layer
constexpr int kDense = kPacked * 4;     // one byte of a packed word is one weight
constexpr unsigned long long kUnpackNs = 12000000ull;
constexpr unsigned long long kApplyNs = 14000000ull;

void launch_unpack(const uint32_t* packed, uint32_t* dense, cudaStream_t stream);
void launch_apply(const uint32_t* dense, const uint32_t* in, uint32_t* out, int width, cudaStream_t stream);
uint32_t dequant(uint32_t word, int lane);
