#pragma once
#include "table_stager.h"

namespace fused {

struct SgdOptions {
  float lr = 0.1f;
  float momentum = 0.9f;
};

// SGD with momentum over all parameters in a handful of launches.
class FusedSgd {
 public:
  FusedSgd(std::vector<ParamRef> params, SgdOptions options);
  void step(cudaStream_t stream);

 private:
  std::vector<ParamRef> params_;
  SgdOptions options_;
  TableStager stager_;
};

}  // namespace fused
