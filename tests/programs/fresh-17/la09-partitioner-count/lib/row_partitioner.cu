/*!
 * \file row_partitioner.cu
 */
#include "row_partitioner.cuh"

namespace gbt::tree {
namespace cuda_impl {
namespace {

__global__ void ScatterRowsKernel(dh::Span<RowIndexT const> ridx, std::uint8_t const *go_left, RowIndexT const *left_count,
                                  RowIndexT *cursors, RowIndexT *out) {
  RowIndexT const n_left = *left_count;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < ridx.size(); i += gridDim.x * blockDim.x) {
    RowIndexT const dst = go_left[i] ? atomicAdd(&cursors[0], 1u) : n_left + atomicAdd(&cursors[1], 1u);
    out[dst] = ridx[i];
  }
}

__global__ void IotaKernel(dh::Span<RowIndexT> out) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < out.size(); i += gridDim.x * blockDim.x) {
    out[i] = static_cast<RowIndexT>(i);
  }
}

}  // namespace

void ScatterRows(dh::Span<RowIndexT const> ridx, std::uint8_t const *go_left, RowIndexT const *left_count,
                 RowIndexT *cursors, RowIndexT *out, dh::CUDAStreamView stream) {
  ScatterRowsKernel<<<Grids(ridx.size()), kBlockThreads, 0, stream>>>(ridx, go_left, left_count, cursors, out);
  safe_cuda(cudaGetLastError());
}

void Iota(dh::Span<RowIndexT> out, dh::CUDAStreamView stream) {
  IotaKernel<<<Grids(out.size()), kBlockThreads, 0, stream>>>(out);
  safe_cuda(cudaGetLastError());
}

}  // namespace cuda_impl

RowPartitioner::RowPartitioner(std::size_t n_rows, dh::CUDAStreamView stream)
    : ridx_(n_rows), ridx_tmp_(n_rows), go_left_(n_rows), counters_(3), n_rows_{n_rows} {
  cuda_impl::Iota(ridx_.ToSpan(), stream);
  AddNode(0, {0, static_cast<RowIndexT>(n_rows)});
}

void RowPartitioner::AddNode(NodeIdx nidx, Segment seg) {
  if (static_cast<std::size_t>(nidx) >= segments_.size()) { segments_.resize(nidx + 1); }
  segments_[nidx] = seg;
}

dh::Span<RowIndexT const> RowPartitioner::GetRows(NodeIdx nidx) const {
  auto const seg = segments_.at(nidx);
  return {ridx_.Data() + seg.begin, seg.Size()};
}

}  // namespace gbt::tree
