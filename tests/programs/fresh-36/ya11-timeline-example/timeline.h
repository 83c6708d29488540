#pragma once

#include "driver.h"

// A counter in device memory that streams advance and wait for, in the manner of timeline
// semaphores: it starts at zero and only ever grows.
class Timeline {
 public:
  Timeline();
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  // Later work in the stream starts once the counter is at least `value`.
  void wait(CUstream stream, unsigned value) const;
  // Sets the counter once earlier work in the stream is complete.
  void signal(CUstream stream, unsigned value) const;

 private:
  CUdeviceptr counter_ = 0;
};
