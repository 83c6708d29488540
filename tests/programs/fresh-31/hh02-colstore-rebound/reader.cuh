#pragma once
#include "table.cuh"

namespace colstore {

/// A delta-encoded column: value(i) = base + delta * (i % period).
struct encoded_column {
  std::string name;
  int rows;
  int base;
  int delta;
  int period;
};

using encoded_chunk = std::vector<encoded_column>;

class chunk_reader {
 public:
  chunk_reader(stream_pool& lanes, device_resource& mr);

  /// Decodes all columns of a chunk. The table may be used in `stream`.
  table read(encoded_chunk const& chunk, stream_view stream);

 private:
  column decode(encoded_column const& c, stream_view lane);

  stream_pool& lanes_;
  device_resource& mr_;
};

}  // namespace colstore
