#pragma once
#include "gpu.hpp"

namespace weather {

// Rain and evaporation on the water column. Also used by the assimilation
// code to bring a first guess into balance.
class Rain {
 public:
  Rain(int cells, int rate) : cells_(cells), rate_(rate) {}

  void balance(int* height) {
    fall(height, lane_.get());
    lane_.wait();
  }
  void fall(int* height, cudaStream_t s);
  int rate() const { return rate_; }

 private:
  int cells_;
  int rate_;
  gpu::Lane lane_;
};

}  // namespace weather
