#include "dispatcher.h"

#include <utility>

#include "status.h"

namespace serving {

dispatcher::~dispatcher() { drain(); }

void CUDART_CB dispatcher::on_reached(void* user) {
  auto* t = static_cast<ticket*>(user);
  t->self->retire(t->id);
}

void dispatcher::retire(ticket_id id) {
  std::lock_guard<std::mutex> guard(mutex_);
  auto it = pending_.find(id);
  finished_.push_back(std::move(it->second));
  pending_.erase(it);
}

cudaError_t dispatcher::submit(cudaStream_t stream, completion fn, ticket_id* id) {
  auto t = std::make_unique<ticket>();
  RETURN_IF(cudaEventCreateWithFlags(&t->reached, cudaEventDisableTiming));
  t->self = this;
  t->fn = std::move(fn);
  ticket* raw = t.get();
  {
    std::lock_guard<std::mutex> guard(mutex_);
    raw->id = next_++;
    pending_.emplace(raw->id, std::move(t));
  }
  if (id) *id = raw->id;
  cudaEvent_t reached = raw->reached;
  RETURN_IF(cudaLaunchHostFunc(stream, &dispatcher::on_reached, raw));
  return cudaEventRecord(reached, stream);
}

void dispatcher::run_finished(std::vector<std::unique_ptr<ticket>>& done) {
  for (auto& t : done) {
    if (t->fn) t->fn(t->id);
    cudaEventDestroy(t->reached);
  }
  done.clear();
}

std::size_t dispatcher::poll() {
  std::vector<std::unique_ptr<ticket>> done;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    while (!finished_.empty()) {
      done.push_back(std::move(finished_.front()));
      finished_.pop_front();
    }
  }
  std::size_t const n = done.size();
  run_finished(done);
  return n;
}

cudaError_t dispatcher::drain() {
  std::vector<cudaEvent_t> waits;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    for (auto& [id, t] : pending_) waits.push_back(t->reached);
  }
  for (cudaEvent_t e : waits) RETURN_IF(cudaEventSynchronize(e));
  poll();
  return cudaSuccess;
}

std::size_t dispatcher::in_flight() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return pending_.size();
}

}  // namespace serving
