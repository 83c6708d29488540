#pragma once
#include <cuda_runtime.h>

namespace tracker {
using Pixel = unsigned short;
void detect(const Pixel* frame, int pixels, unsigned long long* flux, cudaStream_t stream);
}  // namespace tracker
