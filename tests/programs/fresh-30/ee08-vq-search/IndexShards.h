#pragma once

#include "GpuResources.h"

#include <cstdint>
#include <vector>

namespace vq {

struct IndexShardsConfig {
  int dim = 32;
  int numCandidates = 128;    // kept for each query by the first pass
  unsigned visitMicros = 0;   // time that one pass over the lists of a shard takes at least
};

/// Exact search in a database that is spread over shards, each with a stream of its own.
class IndexShards {
 public:
  IndexShards(GpuResources* res, const IndexShardsConfig& config);
  ~IndexShards();

  /// Blocking; `vectors` is host memory.
  void add(int shard, int n, const float* vectors, int64_t firstId);

  /// Enqueues the search on the stream of the shard and returns: searches of several shards run
  /// side by side. Queries and results are device memory.
  void search(int shard, int numQueries, const float* queries, int64_t* ids, float* distances);

  int size(int shard) const { return lists_.at(shard).n; }

 private:
  struct List {
    float* vectors = nullptr;
    int n = 0;
    int64_t firstId = 0;
  };

  GpuResources* res_;
  IndexShardsConfig config_;
  std::vector<List> lists_;
};

}  // namespace vq
