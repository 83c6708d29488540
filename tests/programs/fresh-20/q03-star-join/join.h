// dimjoin: joins a fact column against a dimension table (unique keys).
#pragma once

#include "memory.h"

namespace dimjoin {

struct dimension {
  column_view<const std::int32_t> keys;    // unique, non-negative
  column_view<const std::int32_t> values;  // as many as keys
};

/// One object serves any number of caller streams from one host thread. Hash tables are built in a
/// stream of the object's own, ahead of what is still queued in the caller's stream.
class dimension_join {
 public:
  explicit dimension_join(memory_resource& mr);
  ~dimension_join();
  dimension_join(const dimension_join&) = delete;
  dimension_join& operator=(const dimension_join&) = delete;

  /// out[i] = value of the dimension row with key facts[i], or `missing`.
  /// `dim` is complete on the device when this is called and stays unchanged until the work in
  /// `stream` has finished; `facts` may still be under way in `stream`. `out` is valid in `stream` order.
  void lookup(const dimension& dim, column_view<const std::int32_t> facts, column_view<std::int32_t> out,
              std::int32_t missing, stream_view stream);

 private:
  struct hash_table;
  hash_table build(const dimension& dim);

  memory_resource* mr_;
  cudaStream_t build_stream_ = nullptr;
  cudaEvent_t built_ = nullptr;
};

}  // namespace dimjoin
