#pragma once
// flow: counters in device memory that streams raise and wait for.
#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace flow {

[[noreturn]] void fail(CUresult result);
inline void check(CUresult result) {
  if (result != CUDA_SUCCESS) fail(result);
}

// A monotonic counter. Both sides are stream operations; the host never blocks in them.
class Gate {
 public:
  Gate();
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void raise(CUstream stream, std::uint32_t value) const;
  void await(CUstream stream, std::uint32_t value) const;

 private:
  CUdeviceptr word_ = 0;
};

// A bounded channel of frames between one producing and one consuming stream.
class FrameChannel {
 public:
  FrameChannel(int slots, std::size_t samples);
  ~FrameChannel();
  FrameChannel(const FrameChannel&) = delete;
  FrameChannel& operator=(const FrameChannel&) = delete;

  float* begin_write(CUstream producer, std::uint32_t frame);
  void end_write(CUstream producer, std::uint32_t frame);
  const float* begin_read(CUstream consumer, std::uint32_t frame);
  void end_read(CUstream consumer, std::uint32_t frame);

  std::size_t samples() const { return samples_; }

 private:
  float* slot(std::uint32_t frame) const;

  int slots_;
  std::size_t samples_;
  CUdeviceptr storage_ = 0;
  Gate filled_;
  Gate drained_;
};

}  // namespace flow
