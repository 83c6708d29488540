#pragma once

#include "macros.h"

#include <vector>

namespace tessera {

struct Tensor {
  float* data = nullptr;
  int numel = 0;
};
using TensorList = std::vector<Tensor>;

// For all tensors of the lists in one launch: self[t] += alpha * other[t], self[t] *= scale.
void foreach_add_(const TensorList& self, const TensorList& other, float alpha, cudaStream_t stream);
void foreach_mul_(const TensorList& self, float scale, cudaStream_t stream);

}  // namespace tessera
