#include "table_scan.hpp"

#include <algorithm>

namespace quarry {

namespace {

__global__ void SumRangeKernel(const std::int32_t* values, std::size_t n, RangePredicate pred, unsigned long long* acc) {
  unsigned long long local = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
    const std::int32_t v = values[i];
    if (v >= pred.lo && v < pred.hi) local += static_cast<long long>(v);
  }
  atomicAdd(acc, local);
}

}  // namespace

HostColumn::HostColumn(std::vector<std::int32_t> values, std::size_t rows_per_chunk)
    : values_(std::move(values)), rows_per_chunk_(rows_per_chunk) {
  ThrowIfCuda(cudaHostRegister(values_.data(), values_.size() * sizeof(std::int32_t), cudaHostRegisterDefault),
              "HostColumn");
}

HostColumn::~HostColumn() { (void)cudaHostUnregister(values_.data()); }

std::uint32_t HostColumn::NumChunks() const {
  return static_cast<std::uint32_t>((values_.size() + rows_per_chunk_ - 1) / rows_per_chunk_);
}

std::size_t HostColumn::RowsOf(ChunkId id) const {
  return std::min(rows_per_chunk_, values_.size() - id * rows_per_chunk_);
}

std::int64_t SumWhere(BufferManager& buffers, const HostColumn& column, RangePredicate pred, cudaStream_t stream) {
  unsigned long long* acc = nullptr;
  ThrowIfCuda(cudaMallocAsync(&acc, sizeof(*acc), stream), "SumWhere");
  ThrowIfCuda(cudaMemsetAsync(acc, 0, sizeof(*acc), stream), "SumWhere");
  for (ChunkId id = 0; id < column.NumChunks(); ++id) {
    const auto* values = static_cast<const std::int32_t*>(buffers.Pin(id, stream));
    SumRangeKernel<<<64, 256, 0, stream>>>(values, column.RowsOf(id), pred, acc);
    ThrowIfCuda(cudaGetLastError(), "SumWhere");
    buffers.UnpinAfter(id, stream);
  }
  std::int64_t result = 0;
  ThrowIfCuda(cudaMemcpyAsync(&result, acc, sizeof(result), cudaMemcpyDeviceToHost, stream), "SumWhere");
  ThrowIfCuda(cudaFreeAsync(acc, stream), "SumWhere");
  ThrowIfCuda(cudaStreamSynchronize(stream), "SumWhere");
  return result;
}

}  // namespace quarry
