#pragma once
#include "block_pool.h"

namespace vid {

constexpr int kWidth = 640;
constexpr int kHeight = 360;
constexpr int kPixels = kWidth * kHeight;
constexpr int kFrames = 6;

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void consume(const Frame& frame, int index, cudaEvent_t ready) = 0;
  virtual long mismatches() = 0;
};

class Sensor {
 public:
  Sensor();
  ~Sensor();
  Frame next(BlockPool& pool, int index);
  cudaEvent_t ready() const { return ready_; }
  static unsigned pixel(int frame, int i) { return static_cast<unsigned>(i) * 2246822519u + static_cast<unsigned>(frame) * 97u; }

 private:
  cudaStream_t stream_;
  cudaEvent_t ready_;
};

std::unique_ptr<Sink> make_preview();
std::unique_ptr<Sink> make_archive();

}  // namespace vid
