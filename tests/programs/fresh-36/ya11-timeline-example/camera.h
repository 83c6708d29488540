#pragma once

#include "driver.h"
#include "timeline.h"

#include <vector>

// A small camera: raw frames come in, are developed with the current gain, and are metered.
// The gain that the meter finds is the one the next frame is developed with.
class Camera {
 public:
  static constexpr int kPixels = 1 << 16;
  static constexpr int kSlots = 2;

  Camera();
  ~Camera();
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;

  void submit(unsigned frame, const unsigned* raw, unsigned* developed);
  void drain();

 private:
  CUstream upload_ = nullptr;
  CUstream develop_ = nullptr;
  CUstream meter_ = nullptr;
  CUstream download_ = nullptr;

  unsigned* raw_[kSlots] = {};
  unsigned* developed_[kSlots] = {};
  unsigned* gain_ = nullptr;

  Timeline uploaded_;
  Timeline developedUpTo_;
  Timeline metered_;
  Timeline downloaded_;

  Kernel developKernel_;
  Kernel meterKernel_;
};

unsigned developPixel(unsigned raw, unsigned gain);
unsigned nextGain(unsigned gain, unsigned firstPixel);
