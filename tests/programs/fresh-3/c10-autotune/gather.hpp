#pragma once
#include <cuda_runtime.h>

namespace ops {

struct gather_config {
  int block = 128;
  int per_thread = 1;
};

// dst[i] = src[index[i]] in blocks of block * per_thread elements.
cudaError_t gather(gather_config const& c, float const* src, int const* index, float* dst, int n, cudaStream_t stream);

// Expected cost of one launch of a configuration on the target, in milliseconds.
double nominal_ms(gather_config const& c);

}  // namespace ops
