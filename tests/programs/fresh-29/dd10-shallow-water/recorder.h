#pragma once

#include "lattice.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

// Takes snapshots of the heights and checks them in a thread of its own.
class Recorder {
 public:
  static constexpr int kSnapshots = 3;

  Recorder(int cells, unsigned mass);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void snapshot(const unsigned* h, cudaStream_t s);
  int finish();
  int taken() const { return taken_; }
  const std::string& failure() const { return failure_; }

 private:
  struct Snapshot {
    unsigned* data = nullptr;
    unsigned* sum = nullptr;
    cudaEvent_t filled = nullptr;
  };
  void loop();
  bool examine(Snapshot& s);

  const int cells_;
  const unsigned mass_;
  Snapshot snapshots_[kSnapshots];
  cudaStream_t stream_ = nullptr;
  unsigned* host_sum_ = nullptr;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Snapshot*> free_;
  std::deque<Snapshot*> full_;
  bool closed_ = false;
  int bad_ = 0;
  int taken_ = 0;
  std::string failure_;
  std::thread thread_;
};
