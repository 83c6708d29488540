// Vertex scores by random walks, for graphs that are scored in partitions.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host_chunk.hpp"

namespace walkscore {

/// Compressed rows in device memory.
struct GraphView {
  const std::uint32_t* offsets = nullptr;    ///< vertices + 1
  const std::uint32_t* neighbours = nullptr;
  std::uint32_t vertices = 0;
};

/// Walks start at the seeds of a partition (host memory).
struct Partition {
  const std::uint32_t* seeds = nullptr;
  std::size_t count = 0;
};

struct WalkOptions {
  std::uint32_t length = 1000;
  std::uint32_t salt = 1;
};

/// Gets the scores of one partition, in the order of the seeds. Called on the thread of `run`,
/// in the order of the partitions.
using Sink = std::function<void(std::size_t partition, const float* scores, std::size_t count)>;

/// Stream, buffers and event of one partition under way.
class Lane {
 public:
  explicit Lane(std::size_t max_seeds);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void submit(const GraphView& graph, std::size_t index, const Partition& p, const WalkOptions& o);
  void finish(const Sink& sink);
  bool busy() const { return busy_; }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t done_ = nullptr;
  host_chunk<std::uint32_t, pinned_allocator> seeds_;
  host_chunk<float, pinned_allocator> scores_;
  device_chunk<std::uint32_t> d_seeds_;
  device_chunk<float> d_scores_;
  std::size_t index_ = 0;
  bool busy_ = false;
};

/// Scores partitions, as many at a time as there are lanes.
class Scorer {
 public:
  Scorer(GraphView graph, std::size_t max_seeds, int lanes);

  void run(const std::vector<Partition>& partitions, const WalkOptions& options, const Sink& sink);
  int lanes() const { return static_cast<int>(lanes_.size()); }

 private:
  GraphView graph_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace walkscore
