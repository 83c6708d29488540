#include "fused_sgd.h"

#include "multi_tensor.cuh"

namespace fused {
namespace {

struct SgdOp {
  float lr, mu;
  __device__ void operator()(const ParamRef& ref, int i) const {
    const float m = mu * ref.momentum[i] + ref.grad[i];
    ref.momentum[i] = m;
    ref.param[i] -= lr * m;
  }
};

}  // namespace

FusedSgd::FusedSgd(std::vector<ParamRef> params, SgdOptions options)
    : params_(std::move(params)), options_(options) {}

void FusedSgd::step(cudaStream_t stream) {
  multi_tensor_apply(params_, stager_, SgdOp{options_.lr, options_.momentum},
                     stream);
}

}  // namespace fused
