#pragma once
// sched: dispatches device tasks over a fixed set of lanes and keeps a ledger of what has run.
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace sched {

using TaskId = std::uint64_t;

struct TaskReport {
  TaskId id = 0;
  std::string name;
  int lane = 0;
};

struct Options {
  int lanes = 3;
  bool keep_reports = true;
};

class Scheduler {
 public:
  explicit Scheduler(const Options& options);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Runs `body` on the next lane; it enqueues work into the stream it is given.
  TaskId submit(std::string name, const std::function<void(cudaStream_t)>& body);

  // Finishes everything submitted so far and hands out the ledger.
  std::vector<TaskReport> drain();

  std::size_t running() const;

 private:
  struct Lane {
    cudaStream_t stream = nullptr;
    TaskId newest = 0;
  };
  struct Completion {
    Scheduler* owner;
    TaskId id;
  };

  static void CUDART_CB on_complete(void* arg);
  void retire(TaskId id);

  Options options_;
  std::vector<Lane> lanes_;
  mutable std::mutex mu_;
  std::unordered_map<TaskId, TaskReport> active_;
  std::vector<TaskReport> finished_;
  TaskId next_ = 1;
};

[[noreturn]] void fail(cudaError_t error);

inline void check(cudaError_t error) {
  if (error != cudaSuccess) fail(error);
}

}  // namespace sched
