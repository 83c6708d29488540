#include <colforge/decode.hpp>

namespace colforge {
namespace {

__global__ void hash_rows_kernel(const int32_t* data, int rows, int columns, uint32_t* hashes)
{
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) { return; }
  uint32_t h = 2166136261u;
  for (int c = 0; c < columns; ++c) {
    h = (h ^ static_cast<uint32_t>(data[static_cast<size_t>(c) * rows + row])) * 16777619u;
  }
  hashes[row] = h;
}

}  // namespace

void hash_rows(const table& in, uint32_t* hashes, cudaStream_t stream)
{
  const int grid = (in.rows() + 255) / 256;
  hash_rows_kernel<<<grid, 256, 0, stream>>>(in.data(), in.rows(), in.columns(), hashes);
  COLFORGE_CUDA_TRY(cudaGetLastError());
}

}  // namespace colforge
