#pragma once

#include "../comm.h"

#include <memory>
#include <vector>

namespace lc {

struct pending_op {
  lc_comm_t comm;
  const float* send;
  float* recv;
  size_t count;
  cudaStream_t stream;
};

// State common to all ranks of a clique.
struct clique {
  int ranks = 0;
  unsigned round = 0;
  unsigned* counter = nullptr;
  bool grouping = false;
  std::vector<pending_op> queue;
};

// Per-rank scratch memory, grown on demand.
struct workspace {
  double* data = nullptr;
  size_t capacity = 0;

  cudaError_t reserve(size_t count);
  void release();
};

}  // namespace lc

struct lc_comm {
  int rank = 0;
  std::shared_ptr<lc::clique> clique;
  lc::workspace scratch;
};
