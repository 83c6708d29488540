#pragma once

#include "tl/tensor.h"

namespace tl {

Tensor iota(std::size_t n, uint32_t seed);
Tensor scale_add(const Tensor& x, uint32_t a, uint32_t b);
Tensor multiply(const Tensor& x, const Tensor& y);

// Normalisation over the whole tensor; the slowest operator of the library.
Tensor normalise(const Tensor& x, uint32_t shift);

// Loads the kernels of all operators.
void warm_up(std::size_t n);

}  // namespace tl
