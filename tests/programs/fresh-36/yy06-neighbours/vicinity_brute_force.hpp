#pragma once

#include "vicinity_resources.hpp"

namespace vicinity::neighbors::brute_force {

struct search_params {
  std::int64_t batch_rows = 128;
};

class index {
 public:
  index(resources const& res, device_matrix<float> const& dataset);
  device_matrix<float> const& dataset() const { return dataset_; }
  device_matrix<float> const& norms() const { return norms_; }

 private:
  device_matrix<float> const& dataset_;
  device_matrix<float> norms_;
};

/// Nearest row of the index for each row of queries. Batches of queries run on the stream
/// pool of the resources where there is one.
void search(resources const& res, search_params const& params, index const& idx,
            device_matrix<float> const& queries, device_matrix<std::int64_t>& neighbors,
            device_matrix<float>& distances);

}  // namespace vicinity::neighbors::brute_force
