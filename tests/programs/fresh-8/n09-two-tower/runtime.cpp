#include "runtime.h"

namespace tt {
namespace {
thread_local cudaStream_t t_current = nullptr;
}

cudaStream_t currentStream() {
  if (!t_current) {
    TT_CHECK(cudaStreamCreateWithFlags(&t_current, cudaStreamNonBlocking));
  }
  return t_current;
}

StreamScope::StreamScope(cudaStream_t s) : before_(currentStream()) { t_current = s; }
StreamScope::~StreamScope() { t_current = before_; }

Helper::Helper() : thread_([this] { loop(); }) {}

Helper::~Helper() {
  {
    std::lock_guard<std::mutex> lk(m_);
    quit_ = true;
  }
  cv_.notify_one();
  thread_.join();
}

std::future<void> Helper::post(std::function<void()> job) {
  std::packaged_task<void()> task(std::move(job));
  auto done = task.get_future();
  {
    std::lock_guard<std::mutex> lk(m_);
    jobs_.push(std::move(task));
  }
  cv_.notify_one();
  return done;
}

void Helper::loop() {
  for (;;) {
    std::packaged_task<void()> task;
    {
      std::unique_lock<std::mutex> lk(m_);
      cv_.wait(lk, [this] { return quit_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      task = std::move(jobs_.front());
      jobs_.pop();
    }
    task();
  }
}

void both(Helper& h, const std::function<void()>& first, const std::function<void()>& second) {
  auto done = h.post([&second] {
    second();
    TT_CHECK(cudaStreamSynchronize(currentStream()));
  });
  first();
  done.get();
}

}  // namespace tt
