#pragma once

#include "context.h"

namespace segprims {

struct summary {
  int total;
  int largest;
};

// Writes the keys in ascending order to `sorted`, and their total and largest value to `result`
// (device memory). May be called while `stream` is being captured; outside a capture it returns
// when the work is complete and gives idle scratch memory back to the device.
void summarise(context& ctx, const int* keys, int* sorted, summary* result, int n,
               cudaStream_t stream);

}  // namespace segprims
