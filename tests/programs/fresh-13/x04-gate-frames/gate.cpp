#include "gate.h"

#include <cstdio>
#include <cstdlib>

namespace flow {

void fail(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("ERROR %s\n", name ? name : "unknown");
  std::fflush(stdout);
  std::_Exit(1);
}

Gate::Gate() {
  check(cuMemAlloc(&word_, 256));
  check(cuMemsetD32(word_, 0, 64));
  check(cuCtxSynchronize());
}

Gate::~Gate() { cuMemFree(word_); }

void Gate::raise(CUstream stream, std::uint32_t value) const {
  check(cuStreamWriteValue32(stream, word_, value, CU_STREAM_WRITE_VALUE_DEFAULT));
}

void Gate::await(CUstream stream, std::uint32_t value) const {
  check(cuStreamWaitValue32(stream, word_, value, CU_STREAM_WAIT_VALUE_GEQ));
}

FrameChannel::FrameChannel(int slots, std::size_t samples) : slots_(slots), samples_(samples) {
  check(cuMemAlloc(&storage_, slots * samples * sizeof(float)));
}

FrameChannel::~FrameChannel() { cuMemFree(storage_); }

float* FrameChannel::slot(std::uint32_t frame) const {
  return reinterpret_cast<float*>(storage_) + (frame % slots_) * samples_;
}

float* FrameChannel::begin_write(CUstream producer, std::uint32_t frame) {
  if (frame >= static_cast<std::uint32_t>(slots_)) drained_.await(producer, frame + 1 - slots_);
  return slot(frame);
}

void FrameChannel::end_write(CUstream producer, std::uint32_t frame) {
  filled_.raise(producer, frame + 1);
}

const float* FrameChannel::begin_read(CUstream consumer, std::uint32_t frame) {
  filled_.await(consumer, frame + 1);
  return slot(frame);
}

void FrameChannel::end_read(CUstream consumer, std::uint32_t frame) {
  drained_.raise(consumer, frame + 1);
}

}  // namespace flow
