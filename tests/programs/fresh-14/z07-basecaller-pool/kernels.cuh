#pragma once

#include <cuda_runtime.h>

namespace pore {

void normalise(const short* raw, int* out, int n, int offset, cudaStream_t s);
void decode(const int* signal, int n, unsigned long long* score, cudaStream_t s);

}  // namespace pore
