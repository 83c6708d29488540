#pragma once

#include <cuda_runtime.h>

#include "driver.hpp"

constexpr int kBlocks16 = 8160;  // macroblocks of a 1080p frame

// Motion between frames: a pyramid, searches to both sides, and a refinement that feeds the next frame.
class Estimator {
 public:
  Estimator();

  // Enqueues n frames. `begin` is marked ahead of the first one and `end` after the last one.
  void frames(int first, int n, CUevent begin, CUevent end);

  long wrong(int total) const;
  double stampedMs() const;

 private:
  void frame(int number, bool isFirst);

  drv::Memory pyramid_{sizeof(int) * kBlocks16};
  drv::Memory left_{sizeof(int) * kBlocks16};
  drv::Memory right_{sizeof(int) * kBlocks16};
  drv::Memory field_{sizeof(int) * kBlocks16};
  drv::Memory stamps_{2 * sizeof(unsigned long long)};
  drv::Queue head_, toLeft_, toRight_, tail_;
  drv::Event built_{CU_EVENT_DISABLE_TIMING}, leftDone_{CU_EVENT_DISABLE_TIMING};
  drv::Event rightDone_{CU_EVENT_DISABLE_TIMING}, refined_{CU_EVENT_DISABLE_TIMING};
  CUfunction build_, search_, refine_;
};
