#pragma once
#include <cuda_runtime.h>

namespace codec {

void splitBand(cudaStream_t s, const float* pcm, float* band, int n, int index);
void quantise(cudaStream_t s, const float* bands, const float* table, int* out, int n, int count);

}  // namespace codec
