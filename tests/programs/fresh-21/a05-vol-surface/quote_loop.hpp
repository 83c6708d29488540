// A kernel that stays on the device and answers quotes through a mailbox in
// mapped host memory, for latencies below that of a launch.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

namespace vol {

struct point {
  float strike;  // in cells of the surface
  float tenor;
};

struct mailbox;

class quote_loop {
 public:
  static constexpr int capacity = 64;

  quote_loop();
  quote_loop(const quote_loop&) = delete;
  quote_loop& operator=(const quote_loop&) = delete;
  /// Tells the kernel to leave and waits until it has.
  ~quote_loop();

  /// Starts the kernel on a surface of strikes × tenors values. Once only.
  void start(const float* surface, int strikes, int tenors);

  /// Answers up to `capacity` points. Thread-safe, after start().
  void ask(const point* where, int count, float* answers);

 private:
  std::mutex mutex_;
  cudaStream_t stream_ = nullptr;
  mailbox* box_ = nullptr;
  unsigned sent_ = 0;
};

}  // namespace vol
