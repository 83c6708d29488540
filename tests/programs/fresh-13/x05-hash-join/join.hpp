#pragma once
#include "memory.hpp"

namespace cq {

struct column_view {
  const int* data;
  std::size_t size;
};

// For every probe row the matching build row, or -1. Valid once `ready` has been reached.
struct join_result {
  device_buffer<int> matches;
  event ready;
};

struct join_options {
  double load_factor = 0.5;
  unsigned long long row_group_ns = 0;  // cost model of the predicate, per probe block
};

class join_engine {
 public:
  explicit join_engine(pool_resource& mr);
  ~join_engine();
  join_engine(const join_engine&) = delete;
  join_engine& operator=(const join_engine&) = delete;

  // `build` and `probe` must be valid on `stream`. Building runs there, probing on the
  // engine's own stream so that the next build can begin.
  join_result inner(column_view build, column_view probe, stream_view stream,
                    const join_options& options = {});

 private:
  pool_resource& mr_;
  cudaStream_t probe_stream_{};
};

}  // namespace cq
