#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

namespace cubench {

class cuda_failure : public std::runtime_error {
 public:
  cuda_failure(cudaError_t code, std::string const& where)
    : std::runtime_error{where + ": " + cudaGetErrorString(code)}, code_{code}
  {
  }
  [[nodiscard]] cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

#define CUBENCH_CUDA_CALL(call)                                   \
  do {                                                            \
    cudaError_t const cubench_code_ = (call);                     \
    if (cubench_code_ != cudaSuccess) {                           \
      throw ::cubench::cuda_failure{cubench_code_, #call};        \
    }                                                             \
  } while (0)

class owned_stream {
 public:
  owned_stream() { CUBENCH_CUDA_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~owned_stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  owned_stream(owned_stream const&)            = delete;
  owned_stream& operator=(owned_stream const&) = delete;
  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }

 private:
  cudaStream_t stream_{};
};

/// Events around work on one stream.
class cuda_timer {
 public:
  cuda_timer();
  ~cuda_timer();
  cuda_timer(cuda_timer const&)            = delete;
  cuda_timer& operator=(cuda_timer const&) = delete;

  void start(cudaStream_t stream) { CUBENCH_CUDA_CALL(cudaEventRecord(start_, stream)); }
  void stop(cudaStream_t stream) { CUBENCH_CUDA_CALL(cudaEventRecord(stop_, stream)); }
  [[nodiscard]] double milliseconds() const;

 private:
  cudaEvent_t start_{};
  cudaEvent_t stop_{};
};

/// Holds a stream back until the host has enqueued all that is to be measured.
class blocking_kernel {
 public:
  blocking_kernel();
  ~blocking_kernel();
  blocking_kernel(blocking_kernel const&)            = delete;
  blocking_kernel& operator=(blocking_kernel const&) = delete;

  void block(cudaStream_t stream, double timeout_seconds);
  void unblock();
  [[nodiscard]] bool timed_out() const;

 private:
  struct flags {
    int unblock;
    int timeout;
  };
  flags* host_{};
  flags* device_{};
};

class launch {
 public:
  explicit launch(cudaStream_t stream) : stream_{stream} {}
  [[nodiscard]] cudaStream_t get_stream() const noexcept { return stream_; }

 private:
  cudaStream_t stream_;
};

struct criteria {
  int min_samples{10};
  int max_samples{100};
  double max_noise{0.02};
  double timeout_seconds{20.0};
  std::size_t flush_bytes{std::size_t{64} << 20};
};

struct summary {
  int samples{};
  double mean_ms{};
  double noise{};
};

/// One launch at a time, with a cold L2 cache.
class measure_cold {
 public:
  measure_cold(cudaStream_t stream, criteria const& limits);
  ~measure_cold();
  measure_cold(measure_cold const&)            = delete;
  measure_cold& operator=(measure_cold const&) = delete;

  [[nodiscard]] summary run(std::function<void(launch&)> const& kernel);

 private:
  double sample(std::function<void(launch&)> const& kernel);

  cudaStream_t stream_;
  criteria limits_;
  blocking_kernel blocker_;
  cuda_timer timer_;
  void* flush_{};
};

/// Launches back to back.
class measure_hot {
 public:
  measure_hot(cudaStream_t stream, criteria const& limits) : stream_{stream}, limits_{limits} {}

  [[nodiscard]] summary run(std::function<void(launch&)> const& kernel);

 private:
  cudaStream_t stream_;
  criteria limits_;
  blocking_kernel blocker_;
  cuda_timer timer_;
};

}  // namespace cubench
