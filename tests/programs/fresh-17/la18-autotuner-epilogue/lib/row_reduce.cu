#include "row_reduce.cuh"

namespace kiln::detail {

namespace {

__global__ void combine_kernel(const float* partials, int parts, int rows, float* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float acc = 0.f;
  for (int p = 0; p < parts; ++p) acc += partials[p * rows + r];
  out[r] = acc;
}

}  // namespace

void combine_partials(const float* partials, int parts, int rows, float* out, cudaStream_t stream) {
  combine_kernel<<<(rows + 127) / 128, 128, 0, stream>>>(partials, parts, rows, out);
  KILN_CHECK(cudaGetLastError());
}

}  // namespace kiln::detail
