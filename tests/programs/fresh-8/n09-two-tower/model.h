#pragma once
#include <vector>

#include "runtime.h"

namespace tt {

constexpr int kDim = 64;
constexpr int kBatch = 256;

struct Buffers {
  int *user, *item;        // kBatch x kDim features
  int *userVec, *itemVec;  // kBatch x kDim embeddings
  int* score;              // kBatch
};

class TwoTower {
 public:
  TwoTower(int userWeight, int itemWeight) : wu_(userWeight), wi_(itemWeight) {}
  void forward(const Buffers& b);

 private:
  int wu_, wi_;
  Helper helper_;
};

// Records a forward pass once and replays it.
class Replayer {
 public:
  Replayer(TwoTower& m, const Buffers& b);
  ~Replayer();
  void replay();
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace tt
