#pragma once

#include "codec.h"

#include <chrono>
#include <functional>
#include <string>

namespace bench {

/// One benchmark: `prepare` once, `body` in each iteration, `complete` at the end.
struct Case {
  std::string name;
  std::function<void(cudaStream_t)> prepare;
  std::function<void(cudaStream_t)> body;
  std::function<void(cudaStream_t)> complete;
  int warmup = 2;
  int iterations = 10;
};

struct Report {
  std::string name;
  double device_ms = 0.0;  // of all iterations, by events
  double wall_ms = 0.0;    // of the same run, by the clock of the host
  int iterations = 0;
};

class Runner {
 public:
  Runner() {
    TM_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    TM_CHECK(cudaEventCreate(&begin_));
    TM_CHECK(cudaEventCreate(&end_));
  }
  ~Runner() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
    cudaStreamDestroy(stream_);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Report run(const Case& c) {
    c.prepare(stream_);
    for (int i = 0; i < c.warmup; ++i) c.body(stream_);
    c.complete(stream_);
    TM_CHECK(cudaStreamSynchronize(stream_));

    const auto t0 = std::chrono::steady_clock::now();
    TM_CHECK(cudaEventRecord(begin_, stream_));
    for (int i = 0; i < c.iterations; ++i) c.body(stream_);
    TM_CHECK(cudaEventRecord(end_, stream_));
    c.complete(stream_);
    TM_CHECK(cudaStreamSynchronize(stream_));
    const auto t1 = std::chrono::steady_clock::now();

    float ms = 0.0f;
    TM_CHECK(cudaEventElapsedTime(&ms, begin_, end_));
    return Report{c.name, ms, std::chrono::duration<double, std::milli>(t1 - t0).count(), c.iterations};
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace bench
