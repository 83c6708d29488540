#ifndef MINITENSOR_OPS_HPP
#define MINITENSOR_OPS_HPP
#include "tensor.hpp"

namespace mt::ops {

void scale(const Tensor& t, int factor, cudaStream_t s);
// Adds the dot product of a and b to *acc.
void dot(const Tensor& a, const Tensor& b, unsigned long long* acc, cudaStream_t s);

}  // namespace mt::ops
#endif
