#pragma once

#include "buffer_manager.hpp"

#include <vector>

namespace quarry {

/// A column of int32 values in page-locked host memory, cut into chunks of equal size.
class HostColumn final : public ChunkSource {
 public:
  HostColumn(std::vector<std::int32_t> values, std::size_t rows_per_chunk);
  ~HostColumn() override;
  HostColumn(const HostColumn&) = delete;
  HostColumn& operator=(const HostColumn&) = delete;
  std::size_t ChunkBytes(ChunkId id) const override { return RowsOf(id) * sizeof(std::int32_t); }
  const void* ChunkData(ChunkId id) const override { return values_.data() + id * rows_per_chunk_; }
  std::size_t RowsOf(ChunkId id) const;
  std::uint32_t NumChunks() const;

 private:
  std::vector<std::int32_t> values_;
  std::size_t rows_per_chunk_;
};

struct RangePredicate {
  std::int32_t lo;
  std::int32_t hi;
};

/// SELECT sum(v) FROM column WHERE lo <= v AND v < hi. Returns when the result is there.
std::int64_t SumWhere(BufferManager& buffers, const HostColumn& column, RangePredicate pred, cudaStream_t stream);

}  // namespace quarry
