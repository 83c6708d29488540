#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "profile.h"
#include "scan.cuh"

namespace frame {
/// A column on the device with the stream its work goes to.
struct ColumnTask {
  std::string name;
  ColumnType type = ColumnType::int32;
  void* values = nullptr;
  Summary* device_summary = nullptr;
  HostBuffer<Summary> summary;
  cudaStream_t stream = nullptr;
  cudaEvent_t finished = nullptr;
};

/// A thread that completes tasks in the order in which they were submitted.
class Collector {
 public:
  using Sink = std::function<void(const ColumnTask&)>;
  explicit Collector(Sink sink) : sink_(std::move(sink)), thread_([this] { run(); }) {}

  void submit(const ColumnTask* task) {
    std::lock_guard<std::mutex> guard(mutex_);
    queue_.push_back(task);
    changed_.notify_one();
  }
  void finish() {
    submit(nullptr);
    thread_.join();
  }
 private:
  void run() {
    while (const ColumnTask* task = next()) {
      FRAME_TRY(cudaEventSynchronize(task->finished));
      sink_(*task);
    }
  }
  const ColumnTask* next() {
    std::unique_lock<std::mutex> guard(mutex_);
    changed_.wait(guard, [&] { return !queue_.empty(); });
    const ColumnTask* task = queue_.front();
    queue_.pop_front();
    return task;
  }
  Sink sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<const ColumnTask*> queue_;
  std::thread thread_;
};

/// Profiles the columns of a frame, each in a stream of its own.
class FrameProfiler {
 public:
  explicit FrameProfiler(const ProfileOptions& options) : options_(options) {}
  ~FrameProfiler() {
    for (ColumnTask& task : tasks_) {
      for (void* p : {task.values, static_cast<void*>(task.device_summary)}) cudaFree(p);
      cudaEventDestroy(task.finished);
      cudaStreamDestroy(task.stream);
    }
  }
  template <typename T>
  void add_column(std::string name, ColumnType type, const std::vector<T>& values) {
    ColumnTask task;
    task.name = std::move(name);
    task.type = type;
    task.summary = HostBuffer<Summary>(1, options_);
    FRAME_TRY(cudaStreamCreateWithFlags(&task.stream, cudaStreamNonBlocking));
    FRAME_TRY(cudaEventCreateWithFlags(&task.finished, cudaEventDisableTiming));
    FRAME_TRY(cudaMalloc(&task.device_summary, sizeof(Summary)));
    FRAME_TRY(cudaMalloc(&task.values, sizeof(T) * values.size()));
    FRAME_TRY(cudaMemcpyAsync(task.values, values.data(), sizeof(T) * values.size(),
                              cudaMemcpyHostToDevice, task.stream));
    FRAME_TRY(cudaStreamSynchronize(task.stream));
    tasks_.push_back(std::move(task));
  }

  /// Scans every column; `sink` is called from another thread as results come in.
  void run(const Collector::Sink& sink, int64_t cost_ns) {
    Collector collector(sink);
    for (ColumnTask& task : tasks_) {
      launch(task, cost_ns);
      collector.submit(&task);
    }
    collector.finish();
  }
 private:
  void launch(ColumnTask& task, int64_t cost_ns) {
    FRAME_FOR_TYPE(task.type, {
      scan_column<value_t><<<1, kScanThreads, 0, task.stream>>>(
          static_cast<const value_t*>(task.values), options_.rows, task.device_summary, cost_ns);
      FRAME_TRY(cudaGetLastError());
    })
    fetch(task.summary.data(), task.device_summary, 1, task.stream);
    FRAME_TRY(cudaEventRecord(task.finished, task.stream));
  }
  template <typename T>
  static void fetch(T* host, const T* device, size_t count, cudaStream_t stream) {
    FRAME_TRY(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
  }
  ProfileOptions options_;
  std::vector<ColumnTask> tasks_;
};
}  // namespace frame
