#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <functional>
#include <mutex>
#include <condition_variable>
#include <stdexcept>
#include <vector>

namespace telemetry {

struct pump_error : std::runtime_error {
  pump_error(cudaError_t s, char const* what) : std::runtime_error(what), status(s) {}
  cudaError_t status;
};

/**
 * Brings device results to a host consumer without making the caller wait for them.
 *
 * submit() queues a copy into one of `depth` pinned slots behind the work of `stream`
 * and returns; the consumer is called on a driver thread as soon as the slot is filled.
 * When all slots are on their way, submit() blocks until one is free.
 *
 * The consumer makes no CUDA calls and does not call the pump. submit() may be called
 * from several threads and with several streams.
 */
class result_pump {
 public:
  using consumer = std::function<void(unsigned long long tag, float const* data, std::size_t n)>;

  result_pump(std::size_t depth, std::size_t max_values, consumer fn);
  ~result_pump();
  result_pump(result_pump const&) = delete;
  result_pump& operator=(result_pump const&) = delete;

  void submit(unsigned long long tag, float const* device_data, std::size_t n,
              cudaStream_t stream);

  /// Blocks until the consumer has seen all that was submitted.
  void drain();

  /// Number of results handed to the consumer so far.
  std::size_t delivered() const;

 private:
  enum class state { idle, in_flight };

  struct slot {
    result_pump* owner = nullptr;
    float* pinned = nullptr;
    cudaEvent_t arrived = nullptr;
    state st = state::idle;
    unsigned long long tag = 0;
    std::size_t n = 0;
  };

  slot* find_idle();
  slot* acquire();
  void release(slot* s);
  static void CUDART_CB on_arrival(void* arg);

  consumer fn_;
  std::size_t max_values_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<slot> slots_;
  std::size_t cursor_ = 0;
  std::size_t in_flight_ = 0;
  std::size_t delivered_ = 0;
};

}  // namespace telemetry
