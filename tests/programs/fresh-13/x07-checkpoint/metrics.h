#pragma once
#include "events.h"

namespace ckpt {

// Reads the running loss on its own stream and how long that took.
class Metrics {
 public:
  struct Sample {
    EventPool::Lease begin;
    EventPool::Lease end;
    float milliseconds() const {
      must(cudaEventSynchronize(end.get()));
      float ms = 0.f;
      must(cudaEventElapsedTime(&ms, begin.get(), end.get()));
      return ms;
    }
  };

  explicit Metrics(EventPool& events) : events_(events) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaMallocHost(&loss_, sizeof(float)));
  }
  ~Metrics() {
    must(cudaStreamSynchronize(stream_));
    must(cudaFreeHost(loss_));
    must(cudaStreamDestroy(stream_));
  }
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  Sample sample(const float* device_loss) {
    Sample s{events_.get(), events_.get()};
    must(cudaEventRecord(s.begin.get(), stream_));
    must(cudaMemcpyAsync(loss_, device_loss, sizeof(float), cudaMemcpyDeviceToHost, stream_));
    must(cudaEventRecord(s.end.get(), stream_));
    return s;
  }
  float loss() const { return *loss_; }

 private:
  EventPool& events_;
  cudaStream_t stream_ = nullptr;
  float* loss_ = nullptr;
};

}  // namespace ckpt
