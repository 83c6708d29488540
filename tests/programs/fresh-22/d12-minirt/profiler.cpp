#include "profiler.hpp"

#include <algorithm>

namespace minirt {

EventPool::~EventPool() {
  for (cudaEvent_t e : free_) cudaEventDestroy(e);
}

cudaEvent_t EventPool::take() {
  if (!free_.empty()) {
    cudaEvent_t e = free_.back();
    free_.pop_back();
    return e;
  }
  cudaEvent_t e = nullptr;
  check(cudaEventCreate(&e), "EventPool");
  return e;
}

Profiler::Profiler(Context& ctx) : ctx_(ctx), stream_(ctx.stream()) { ctx_.attach(this); }

Profiler::~Profiler() {
  ctx_.detach(this);
  for (auto* list : {&open_, &closed_}) {
    for (Range& r : *list) {
      events_.give(r.begin);
      if (r.end) events_.give(r.end);
    }
  }
}

void Profiler::on_begin(const Context& ctx, const char* op) {
  if (&ctx != &ctx_) return;
  Range r{op, events_.take(), nullptr};
  check(cudaEventRecord(r.begin, stream_), "Profiler::on_begin");
  open_.push_back(std::move(r));
}

void Profiler::on_end(const Context& ctx, const char* op) {
  if (&ctx != &ctx_ || open_.empty() || open_.back().op != op) return;
  Range r = std::move(open_.back());
  open_.pop_back();
  r.end = events_.take();
  cudaEventRecord(r.end, stream_);
  closed_.push_back(std::move(r));
}

void Profiler::collect() {
  for (const Range& r : closed_) {
    check(cudaEventSynchronize(r.end), "Profiler::collect");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, r.begin, r.end), "Profiler::collect");
    OpStats& s = stats_[r.op];
    s.min_ms = s.calls ? std::min<double>(s.min_ms, ms) : ms;
    s.max_ms = std::max<double>(s.max_ms, ms);
    s.total_ms += ms;
    ++s.calls;
    events_.give(r.begin);
    events_.give(r.end);
  }
  closed_.clear();
}

const std::map<std::string, OpStats>& Profiler::stats() {
  collect();
  return stats_;
}

void Profiler::reset() {
  collect();
  stats_.clear();
}

}  // namespace minirt
