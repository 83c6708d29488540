/*!
 * \file row_partitioner.cuh
 * \brief Keeps, for every node of a tree, the rows that fell into it.
 */
#pragma once

#include "device_helpers.cuh"

#include <cstdint>
#include <string>
#include <vector>

namespace gbt::tree {

using RowIndexT = std::uint32_t;
using NodeIdx = std::int32_t;

/*! \brief Half-open range of rows in the row-index array. */
struct Segment {
  RowIndexT begin{0};
  RowIndexT end{0};
  RowIndexT Size() const { return end - begin; }
};

namespace cuda_impl {
constexpr int kBlockThreads = 256;

inline int Grids(std::size_t n) {
  auto const g = (n + kBlockThreads - 1) / kBlockThreads;
  return static_cast<int>(g < 1024 ? (g == 0 ? 1 : g) : 1024);
}

/*! \brief Decide the side of every row; count the rows that go left. */
template <typename GoLeftOp>
__global__ void MarkRowsKernel(dh::Span<RowIndexT const> ridx, std::uint8_t *go_left, RowIndexT *left_count, GoLeftOp op) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < ridx.size(); i += gridDim.x * blockDim.x) {
    bool const left = op(ridx[i]);
    go_left[i] = left;
    if (left) { atomicAdd(left_count, 1u); }
  }
}

void ScatterRows(dh::Span<RowIndexT const> ridx, std::uint8_t const *go_left, RowIndexT const *left_count,
                 RowIndexT *cursors, RowIndexT *out, dh::CUDAStreamView stream);
void Iota(dh::Span<RowIndexT> out, dh::CUDAStreamView stream);
}  // namespace cuda_impl

class RowPartitioner {
  std::vector<Segment> segments_;
  dh::DeviceArray<RowIndexT> ridx_;
  dh::DeviceArray<RowIndexT> ridx_tmp_;
  dh::DeviceArray<std::uint8_t> go_left_;
  dh::DeviceArray<RowIndexT> counters_;  // [0] rows going left, [1..2] scatter cursors
  dh::PinnedMemory pinned_;
  dh::CUDAStream copy_stream_;
  dh::CUDAEvent counted_;
  dh::CUDAEvent copied_;
  std::size_t n_rows_;

  void AddNode(NodeIdx nidx, Segment seg);

 public:
  RowPartitioner(std::size_t n_rows, dh::CUDAStreamView stream);

  /*! \brief Rows of a node, on the device. */
  dh::Span<RowIndexT const> GetRows(NodeIdx nidx) const;
  Segment GetSegment(NodeIdx nidx) const { return segments_.at(nidx); }
  std::size_t NumNodes() const { return segments_.size(); }

  /*!
   * \brief Split `nidx` in `left` and `right` by `op(row) -> goes left`.
   *
   * The host learns the sizes of the children over a stream of its own, so that it does not have to wait for the
   * scatter as well.
   */
  template <typename GoLeftOp>
  void UpdatePosition(NodeIdx nidx, NodeIdx left, NodeIdx right, dh::CUDAStreamView stream, GoLeftOp op) {
    Segment const seg = segments_.at(nidx);
    if (seg.Size() == 0) {
      AddNode(left, {seg.begin, seg.begin});
      AddNode(right, {seg.begin, seg.begin});
      return;
    }
    dh::Span<RowIndexT const> const rows{ridx_.Data() + seg.begin, seg.Size()};
    auto h_left = pinned_.GetSpan<RowIndexT>(1);

    stream.Wait(copied_);
    safe_cuda(cudaMemsetAsync(counters_.Data(), 0, 3 * sizeof(RowIndexT), stream));
    counted_.Record(stream);
    cuda_impl::MarkRowsKernel<<<cuda_impl::Grids(rows.size()), cuda_impl::kBlockThreads, 0, stream>>>(
        rows, go_left_.Data(), counters_.Data(), op);
    safe_cuda(cudaGetLastError());

    auto copy = copy_stream_.View();
    copy.Wait(counted_);
    safe_cuda(cudaMemcpyAsync(h_left.data(), counters_.Data(), sizeof(RowIndexT), cudaMemcpyDeviceToHost, copy));
    copied_.Record(copy);

    cuda_impl::ScatterRows(rows, go_left_.Data(), counters_.Data(), counters_.Data() + 1, ridx_tmp_.Data(), stream);
    safe_cuda(cudaMemcpyAsync(ridx_.Data() + seg.begin, ridx_tmp_.Data(), seg.Size() * sizeof(RowIndexT),
                                  cudaMemcpyDeviceToDevice, stream));

    copy.Sync();
    RowIndexT const n_left = h_left[0];
    AddNode(left, {seg.begin, seg.begin + n_left});
    AddNode(right, {seg.begin + n_left, seg.end});
  }
};

}  // namespace gbt::tree
