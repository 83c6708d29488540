#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "block_pool.hpp"
#include "runtime.hpp"

namespace gradsync {

struct parameter {
  float* value;
  float* grad;
  std::size_t n;
};

/// Collective on `n` floats in place, enqueued in the stream given.
using collective = std::function<void(float* data, std::size_t n, cudaStream_t stream)>;

struct reducer_options {
  int world                = 1;
  std::size_t bucket_elems = std::size_t{1} << 20;
  collective all_reduce;  ///< sum over the ranks
  collective broadcast;   ///< from rank 0
};

/// Averages gradients over the ranks while the backward pass goes on. Parameters are put into
/// buckets in reverse order; a bucket is sent when the last of its gradients is there.
class reducer {
 public:
  reducer(std::vector<parameter> params, reducer_options options);
  reducer(reducer const&) = delete;
  ~reducer();

  /// Gives every rank the parameter values of rank 0. The current stream goes on behind it.
  void sync_values();

  /// The gradient of parameter `index` has been enqueued in the current stream.
  void mark_ready(std::size_t index);

  /// The current stream goes on behind all averages; the next backward pass may begin.
  void finalize();

  std::size_t bucket_count() const { return buckets_.size(); }

 private:
  struct bucket {
    std::vector<std::size_t> members;
    std::size_t elems   = 0;
    std::size_t missing = 0;
  };

  void send(bucket const& b);

  std::vector<parameter> params_;
  reducer_options options_;
  std::vector<bucket> buckets_;
  std::vector<std::size_t> bucket_of_;
  cudaStream_t comm_{};
  event packed_;
  event settled_;
};

}  // namespace gradsync
