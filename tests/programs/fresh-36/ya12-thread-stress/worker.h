#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>

struct CudaError : std::runtime_error {
  explicit CudaError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void must(cudaError_t code) {
  if (code != cudaSuccess) throw CudaError(code);
}

// One producer of the stress test. run() is called on a thread of its own and returns as soon as
// everything has been submitted.
class Worker {
 public:
  static constexpr int kItem = 4096;
  static constexpr int kSlots = 2;

  explicit Worker(int id);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void run(int round, int items);
  bool idle() const;

  uint64_t* partial() const { return partial_; }
  int progress() const { return progress_.load(); }
  int waits() const { return waits_; }

  static uint32_t value(int id, int round, int item, int k);

 private:
  static void CUDART_CB advance(void* self);

  int id_;
  cudaStream_t stream_ = nullptr;
  uint32_t* staging_[kSlots] = {};
  cudaEvent_t copied_[kSlots] = {};
  uint32_t* input_ = nullptr;
  uint64_t* partial_ = nullptr;
  std::atomic<int> progress_{0};
  int waits_ = 0;
};

// Adds the partial sums of one worker to the total and clears them.
void foldPartial(uint64_t* total, uint64_t* partial);
