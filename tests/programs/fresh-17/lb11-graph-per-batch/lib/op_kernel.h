#pragma once
#include "status.h"
#include <vector>

namespace inferrt {

struct OpContext {
  const float* input;
  float* output;
  int batch;     // rows coming in
  int width;
  int out_batch; // set by the op
  cudaStream_t stream;
};

class OpKernel {
 public:
  virtual ~OpKernel() = default;
  virtual Status Compute(OpContext& ctx) const = 0;
  virtual const char* Name() const = 0;
};

// y = a * x + b
class AffineOp : public OpKernel {
 public:
  AffineOp(float a, float b) : a_(a), b_(b) {}
  Status Compute(OpContext& ctx) const override;
  const char* Name() const override { return "Affine"; }

 private:
  float a_, b_;
};

class ReluOp : public OpKernel {
 public:
  Status Compute(OpContext& ctx) const override;
  const char* Name() const override { return "Relu"; }
};

// Sums each two neighbouring rows (e.g. the two views of a sample).
class PairSumOp : public OpKernel {
 public:
  Status Compute(OpContext& ctx) const override;
  const char* Name() const override { return "PairSum"; }
};

}  // namespace inferrt
