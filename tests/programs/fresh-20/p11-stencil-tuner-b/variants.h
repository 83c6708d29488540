#pragma once

#include <cuda_runtime.h>

namespace stx {

struct SweepArgs {
  const float* in;
  float* out;
  int nx, ny, nz;
  int steps;
};

struct Variant {
  const char* name;
  cudaError_t (*launch)(const SweepArgs& args, cudaStream_t stream);
};

int variant_count();
const Variant& variant(int index);

}  // namespace stx
