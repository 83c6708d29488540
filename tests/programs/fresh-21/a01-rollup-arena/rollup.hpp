// Group-by sums over columns on the device.
#pragma once

#include "arena.hpp"

namespace tbl {

struct rollup_options {
  std::size_t max_rows = 1u << 16;  // largest table of a single call
  int groups = 256;                 // keys are 0 .. groups-1, at most 1024
  long long fold_ns = 0;            // least time of the final fold
};

/// Calls are asynchronous in the stream given and share one scratch arena,
/// sized for one table of max_rows or several smaller ones at a time. Tables
/// may be summed on different streams; the columns and the result belong to
/// the caller and have to stay valid until the stream has passed the call.
class rollup_engine {
 public:
  explicit rollup_engine(const rollup_options& options);

  void sum_by_key(const int* keys, const float* values, std::size_t rows,
                  float* sums, cudaStream_t stream);

 private:
  rollup_options options_;
  arena scratch_;
};

}  // namespace tbl
