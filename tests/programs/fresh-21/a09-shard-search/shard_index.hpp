// Exact nearest-neighbour search over a set of shards, side by side.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "buffers.hpp"

namespace nn {

struct hit {
  float distance;  // squared
  int shard;
  int row;
};

struct index_options {
  int dim = 64;
  int lanes = 4;           // shards scanned at the same time
  int max_shards = 16;
  long long scan_ns = 0;   // least time of the scan of one shard
};

/// Not thread-safe. Shards are scanned concurrently, each in one of the lanes.
class shard_index {
 public:
  explicit shard_index(const index_options& options);
  shard_index(const shard_index&) = delete;
  ~shard_index();

  /// Copies row-major vectors of `dim` values to the device.
  void add(const std::vector<float>& vectors);

  /// The nearest vector of all shards.
  hit search(const std::vector<float>& query);

  int shards() const noexcept { return static_cast<int>(shards_.size()); }
 private:
  struct shard {
    device_buffer<float> vectors;
    int rows = 0;
  };
  struct lane;
  index_options options_;
  std::vector<shard> shards_;
  std::vector<std::unique_ptr<lane>> lanes_;
  pinned_buffer<float> query_host_;
  device_buffer<float> query_;
  device_buffer<hit> hits_;
  pinned_buffer<hit> hits_host_;
  cudaEvent_t query_ready_ = nullptr;
};

}  // namespace nn
