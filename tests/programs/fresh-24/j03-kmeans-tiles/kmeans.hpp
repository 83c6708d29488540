#pragma once

#include "resources.hpp"

namespace clusterkit {

struct matrix_view {
  float const* data;  // row major, device
  int rows;
  int cols;
};

struct predict_params {
  int tile_rows     = 4096;
  bool with_inertia = true;
};

/// Labels every row of `x` with its nearest row of `centers`, and sums the squared distances
/// into `*inertia` (device). Asynchronous; ordered in the stream of `res`.
void kmeans_predict(resources const& res,
                    matrix_view x,
                    matrix_view centers,
                    int* labels,
                    float* min_dist,
                    float* inertia,
                    predict_params const& params = {});

}  // namespace clusterkit
