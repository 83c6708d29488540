#pragma once

#include <vector>

#include "device_array.hpp"
#include "resident.hpp"

namespace rescore {

struct scorer_config {
  int initial_rows = 32768;  ///< batches up to this size need no new memory
  double growth    = 1.5;
};

/// Linear scoring of row batches with low latency. Batches of any size.
class scorer {
 public:
  explicit scorer(std::vector<float> const& weights, scorer_config const& config = {});

  /// host_out[i] = dot(weights, host_rows[i]). Transfers go through `io`; the results are there on return.
  void score(float const* host_rows, int rows, float* host_out, cudaStream_t io);

  /// Replaces the weights; takes effect with the next batch.
  void set_weights(std::vector<float> const& weights, cudaStream_t io);

  int width() const { return static_cast<int>(weights_.size()); }
  int capacity() const { return static_cast<int>(out_.size()); }

 private:
  void make_room(int rows);

  scorer_config config_;
  device_array<float> weights_;
  device_array<float> in_;
  device_array<float> out_;
  detail::resident loop_;
};

}  // namespace rescore
