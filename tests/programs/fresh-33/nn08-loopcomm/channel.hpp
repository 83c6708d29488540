#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace rc {
struct CommError : std::runtime_error {
  explicit CommError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw CommError(e);
}

// Part of a message in pinned memory on its way to the network.
struct Slot {
  char* host = nullptr;
  cudaEvent_t staged = nullptr;
  bool busy = false;
};

// One connection to the peer: a stream, a ring of slots for what leaves and
// a queue of what has arrived.
class Channel {
 public:
  Channel(std::size_t slot_bytes, int slots);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  void follow(cudaEvent_t e) { check(cudaStreamWaitEvent(stream_, e, 0)); }
  cudaEvent_t mark();
  Slot* stage(const void* device, std::size_t bytes);
  void retire(Slot* slot);
  void deliver(const char* data, std::size_t bytes);
  void drain(void* device, std::size_t bytes);

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t tail_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  std::size_t next_ = 0;
  std::deque<std::vector<char>> inbox_;
};
}  // namespace rc
