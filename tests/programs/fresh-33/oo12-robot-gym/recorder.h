#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>
#include "kernels.h"

namespace gym {

// Brings checkpoints of the trace to the host on its own stream.
class Recorder {
 public:
  explicit Recorder(int steps) : steps_(steps) {
    GYM_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    GYM_CHECK(cudaMallocHost(&rows_, size_t(steps) * kJoints * sizeof(int)));
  }
  ~Recorder() {
    cudaStreamDestroy(stream_);
    cudaFreeHost(rows_);
  }
  Recorder(const Recorder&) = delete;

  void fetch(const World& world, int firstRow, int rowCount) {
    GYM_CHECK(cudaMemcpyAsync(rows_ + firstRow * kJoints, world.trace + firstRow * kJoints,
                              size_t(rowCount) * kJoints * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    GYM_CHECK(cudaLaunchHostFunc(stream_, &Recorder::onArrival, this));
    ++requested_;
  }

  void awaitAll() {
    std::unique_lock<std::mutex> lock(mutex_);
    arrival_.wait(lock, [this] { return arrived_ == requested_; });
  }

  const int* row(int step) const { return rows_ + step * kJoints; }

 private:
  static void CUDART_CB onArrival(void* self) {
    Recorder* r = static_cast<Recorder*>(self);
    std::lock_guard<std::mutex> lock(r->mutex_);
    ++r->arrived_;
    r->arrival_.notify_all();
  }

  int steps_;
  cudaStream_t stream_ = nullptr;
  int* rows_ = nullptr;
  std::mutex mutex_;
  std::condition_variable arrival_;
  int requested_ = 0;
  int arrived_ = 0;
};

}  // namespace gym
