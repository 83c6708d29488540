#pragma once

#include "check.h"

class RangeRecorder;

// One sensor lane: a signal that is filtered and folded into an energy, over and over.
class Lane {
 public:
  static constexpr int kSamples = 8 * 128;

  explicit Lane(int id);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void restart();
  void process(RangeRecorder& recorder, int stageMicros);
  unsigned long long energy() const;
  unsigned long long expected(int rounds) const;

 private:
  int id_;
  cudaStream_t stream_ = nullptr;
  unsigned* signal_ = nullptr;
  unsigned long long* energy_ = nullptr;
};
