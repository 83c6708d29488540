#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "pinned_allocator.h"

namespace serving {

struct RowHeader {
  int lane;
  int request;
  int rows;
  int reserved;
};

// Brings results of many streams back to the host and hands them to callbacks, which run one
// after the other in the collector's own thread.  collect() may be called from any thread.
class ResultCollector {
 public:
  using Callback = std::function<void(const RowHeader& header, const float* rows, std::size_t count)>;

  ResultCollector(std::size_t slots, std::size_t rows_per_slot);
  ~ResultCollector();
  ResultCollector(const ResultCollector&) = delete;
  ResultCollector& operator=(const ResultCollector&) = delete;

  // Asynchronous: takes header and rows as `stream` leaves them at this point, then calls back.
  // Blocks only while every slot is in use.
  void collect(cudaStream_t stream, const RowHeader* d_header, const float* d_rows, std::size_t count,
               Callback callback);

  // Returns when every callback of an earlier collect() has run.
  void drain();

 private:
  using RowBuffer = std::vector<float, PinnedAllocator<float>>;
  using HeaderBuffer = std::vector<RowHeader, PinnedAllocator<RowHeader>>;

  struct Slot {
    ResultCollector* owner = nullptr;
    RowHeader* header = nullptr;
    RowBuffer rows;
    std::size_t count = 0;
    Callback callback;
  };

  static void CUDART_CB on_ready(void* user);
  Slot* take();
  void put_back(Slot* slot);
  void dispatch();

  HeaderBuffer headers_;
  std::vector<std::unique_ptr<Slot>> slots_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Slot*> free_;
  std::deque<Slot*> ready_;
  bool stopping_ = false;
  std::thread dispatcher_;
};

}  // namespace serving
