#include "convert.h"

#include <cub/device/device_scan.cuh>

#include <algorithm>

namespace spkit {
namespace {

constexpr int kBlock = 256;

int grid_for(int n) { return std::max(1, std::min((n + kBlock - 1) / kBlock, 1024)); }

__global__ void count_rows(const int* __restrict__ row, int nnz, int rows, int* counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nnz; i += gridDim.x * blockDim.x) {
    const int r = row[i];
    if (static_cast<unsigned>(r) < static_cast<unsigned>(rows)) atomicAdd(counts + r, 1);
  }
}

template <typename V>
__global__ void scatter(coo_view<V> in, int* cursor, int* col, V* val) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < in.nnz; i += gridDim.x * blockDim.x) {
    const int r = in.row[i];
    if (static_cast<unsigned>(r) >= static_cast<unsigned>(in.rows)) continue;
    const int at = atomicAdd(cursor + r, 1);
    if (static_cast<unsigned>(at) < static_cast<unsigned>(in.nnz)) {
      col[at] = in.col[i];
      val[at] = in.val[i];
    }
  }
}

template <typename V>
__global__ void spmv_rows(int rows, int cols, int nnz, const int* row_ptr, const int* col, const V* val, const V* x, V* y) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
    const int first = max(0, row_ptr[r]);
    const int last = min(nnz, row_ptr[r + 1]);
    V sum = V(0);
    for (int k = first; k < last; ++k) {
      const int c = col[k];
      if (static_cast<unsigned>(c) < static_cast<unsigned>(cols)) sum += val[k] * x[c];
    }
    y[r] = sum;
  }
}

void row_offsets(context& ctx, const int* counts, int* offsets, int n) {
  std::size_t bytes = 0;
  SPKIT_TRY(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, offsets, n, ctx.stream_handle()));
  void* storage = ctx.cub_storage().reserve(bytes);
  SPKIT_TRY(cub::DeviceScan::ExclusiveSum(storage, bytes, counts, offsets, n, ctx.stream_handle()));
}

}  // namespace

template <typename V>
void coo_to_csr(context& ctx, const coo_view<V>& in, csr_matrix<V>& out) {
  const cudaStream_t s = ctx.stream_handle();
  const int offsets = in.rows + 1;

  out.rows = in.rows;
  out.cols = in.cols;
  out.nnz = in.nnz;
  int* row_ptr = out.row_ptr.reserve(offsets);
  int* col = out.col.reserve(in.nnz);
  V* val = out.val.reserve(in.nnz);
  int* counts = ctx.counts().reserve(offsets);
  int* cursor = ctx.cursor().reserve(offsets);

  SPKIT_TRY(cudaMemsetAsync(counts, 0, offsets * sizeof(int), s));
  count_rows<<<grid_for(in.nnz), kBlock, 0, s>>>(in.row, in.nnz, in.rows, counts);
  SPKIT_TRY(cudaGetLastError());

  row_offsets(ctx, counts, row_ptr, offsets);

  SPKIT_TRY(cudaMemcpyAsync(cursor, row_ptr, offsets * sizeof(int), cudaMemcpyDeviceToDevice, s));
  scatter<V><<<grid_for(in.nnz), kBlock, 0, s>>>(in, cursor, col, val);
  SPKIT_TRY(cudaGetLastError());
}

template <typename V>
void spmv(context& ctx, const csr_matrix<V>& a, const V* x, V* y) {
  spmv_rows<V><<<grid_for(a.rows), kBlock, 0, ctx.stream_handle()>>>(a.rows, a.cols, a.nnz, a.row_ptr.data(), a.col.data(),
                                                                     a.val.data(), x, y);
  SPKIT_TRY(cudaGetLastError());
}

template void coo_to_csr<float>(context&, const coo_view<float>&, csr_matrix<float>&);
template void coo_to_csr<double>(context&, const coo_view<double>&, csr_matrix<double>&);
template void spmv<float>(context&, const csr_matrix<float>&, const float*, float*);
template void spmv<double>(context&, const csr_matrix<double>&, const double*, double*);

}  // namespace spkit
