#pragma once
#include "gpu.h"

namespace voice {

constexpr int kSamples = 1 << 14;

void extractFeatures(const short* audio, int* features, cudaStream_t s);
void scoreAcoustics(const int* features, int* scores, cudaStream_t s);

}  // namespace voice
