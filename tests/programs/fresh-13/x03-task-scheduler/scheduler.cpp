#include "scheduler.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace sched {

void fail(cudaError_t error) {
  std::printf("ERROR %s\n", cudaGetErrorName(error));
  std::fflush(stdout);
  std::_Exit(1);
}

Scheduler::Scheduler(const Options& options) : options_(options), lanes_(options.lanes) {
  for (Lane& lane : lanes_) check(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
}

Scheduler::~Scheduler() {
  for (Lane& lane : lanes_) {
    check(cudaStreamSynchronize(lane.stream));
    check(cudaStreamDestroy(lane.stream));
  }
}

TaskId Scheduler::submit(std::string name, const std::function<void(cudaStream_t)>& body) {
  TaskId id;
  Lane* lane;
  {
    std::lock_guard<std::mutex> lock(mu_);
    id = next_++;
    const int index = static_cast<int>(id % lanes_.size());
    lane = &lanes_[index];
    lane->newest = id;
    active_.emplace(id, TaskReport{id, std::move(name), index});
  }
  body(lane->stream);
  auto completion = std::make_unique<Completion>(Completion{this, id});
  check(cudaLaunchHostFunc(lane->stream, &Scheduler::on_complete, completion.get()));
  completion.release();
  return id;
}

void CUDART_CB Scheduler::on_complete(void* arg) {
  std::unique_ptr<Completion> completion(static_cast<Completion*>(arg));
  completion->owner->retire(completion->id);
}

void Scheduler::retire(TaskId id) {
  std::lock_guard<std::mutex> lock(mu_);
  auto it = active_.find(id);
  if (it == active_.end()) return;
  if (options_.keep_reports) finished_.push_back(std::move(it->second));
  active_.erase(it);
}

std::vector<TaskReport> Scheduler::drain() {
  std::lock_guard<std::mutex> lock(mu_);
  for (Lane& lane : lanes_) {
    if (lane.newest == 0) continue;
    check(cudaStreamSynchronize(lane.stream));
    lane.newest = 0;
  }
  return std::exchange(finished_, {});
}

std::size_t Scheduler::running() const {
  std::lock_guard<std::mutex> lock(mu_);
  return active_.size();
}

}  // namespace sched
