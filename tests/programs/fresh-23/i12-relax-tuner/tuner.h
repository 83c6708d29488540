#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "plan.h"

namespace relax {

struct Measurement {
  std::string name;
  double ms_per_step = 0;
};

// Tries plans on worker threads, each with a stream of its own.  One lease on the device at a time.
class Tuner {
 public:
  struct Policy {
    int workers = 2;
    int warm_steps = 1;
    int timed_steps = 3;
  };

  explicit Tuner(Policy policy) : policy_(policy) {
    for (int w = 0; w < policy_.workers; ++w) workers_.emplace_back([this] { work(); });
  }

  ~Tuner() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closing_ = true;
    }
    ready_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  std::future<Measurement> submit(Plan& plan) {
    Job job([this, &plan](cudaStream_t stream) { return measure(plan, stream); });
    std::future<Measurement> result = job.get_future();
    {
      std::lock_guard<std::mutex> lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    ready_.notify_one();
    return result;
  }

 private:
  using Job = std::packaged_task<Measurement(cudaStream_t)>;

  void work() {
    cudaStream_t stream = nullptr;
    const cudaError_t created = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (;;) {
      Job job;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
        if (jobs_.empty()) break;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job(stream);
    }
    if (created == cudaSuccess) cudaStreamDestroy(stream);
  }

  Measurement measure(Plan& plan, cudaStream_t stream) {
    std::lock_guard<std::mutex> lease(device_);
    cudaEvent_t begin, end;
    ok(cudaEventCreate(&begin));
    ok(cudaEventCreate(&end));
    for (int i = 0; i < policy_.warm_steps; ++i) plan.step(stream);
    plan.drain(stream);
    ok(cudaStreamSynchronize(stream));

    ok(cudaEventRecord(begin, stream));
    for (int i = 0; i < policy_.timed_steps; ++i) plan.step(stream);
    ok(cudaEventRecord(end, stream));
    plan.drain(stream);
    ok(cudaStreamSynchronize(stream));

    float ms = 0;
    ok(cudaEventElapsedTime(&ms, begin, end));
    ok(cudaEventDestroy(begin));
    ok(cudaEventDestroy(end));
    return {plan.name(), ms / policy_.timed_steps};
  }

  Policy policy_;
  std::mutex device_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Job> jobs_;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace relax
