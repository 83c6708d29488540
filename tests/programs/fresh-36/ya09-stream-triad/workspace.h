#pragma once

#include "bench.h"

namespace bench {

// Arrays shared by all benchmarks: a and b are inputs, c is rewritten by every round.
struct Workspace {
  explicit Workspace(size_t count);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  size_t bytes() const { return count * sizeof(float); }
  void clearResult();
  size_t countDifferent(float value) const;

  size_t count;
  float* a = nullptr;
  float* b = nullptr;
  float* c = nullptr;
  cudaStream_t stream = nullptr;  // set-up and checks
};

}  // namespace bench
