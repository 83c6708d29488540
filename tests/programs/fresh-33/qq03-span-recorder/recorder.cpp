#include "recorder.hpp"

#include <memory>

namespace spans {

Recorder::Recorder(std::size_t reserve) {
  std::vector<cudaEvent_t> events;
  for (std::size_t i = 0; i < reserve; ++i) events.push_back(pool_.lend());
  for (cudaEvent_t e : events) pool_.take_back(e);
}

Recorder::~Recorder() {
  try {
    flush();
  } catch (const CudaFailure&) {
  }
}

void Recorder::add_sink(Sink sink) {
  std::lock_guard<std::mutex> lock(mutex_);
  sinks_.push_back(std::move(sink));
}

std::uint64_t Recorder::open(std::string name, cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  Span span{std::move(name), stream, pool_.lend(), pool_.lend(), {}};
  SPANS_CHECK(cudaEventRecord(span.start, stream));
  streams_.insert(stream);
  active_.emplace(next_, std::move(span));
  return next_++;
}

void Recorder::close(std::uint64_t id) {
  Span span;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    span = active_.at(id);
  }
  SPANS_CHECK(cudaEventRecord(span.stop, span.stream));
  auto ticket = std::make_unique<Ticket>(Ticket{this, id});
  SPANS_CHECK(cudaLaunchHostFunc(span.stream, &Recorder::retire, ticket.get()));
  ticket.release();
}

void CUDART_CB Recorder::retire(void* raw) {
  std::unique_ptr<Ticket> ticket(static_cast<Ticket*>(raw));
  Recorder& self = *ticket->owner;
  const auto now = std::chrono::steady_clock::now();
  std::lock_guard<std::mutex> lock(self.mutex_);
  self.active_.at(ticket->id).retired_at = now;
  self.retired_.push_back(ticket->id);
}

std::size_t Recorder::flush() {
  std::vector<Report> reports;
  std::vector<Sink> sinks;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    for (cudaStream_t s : streams_) SPANS_CHECK(cudaStreamSynchronize(s));
    streams_.clear();
    while (!retired_.empty()) {
      auto it = active_.find(retired_.front());
      retired_.pop_front();
      Span& span = it->second;
      Report report{std::move(span.name), 0.0f, span.retired_at};
      SPANS_CHECK(cudaEventElapsedTime(&report.device_ms, span.start, span.stop));
      pool_.take_back(span.start);
      pool_.take_back(span.stop);
      active_.erase(it);
      reports.push_back(std::move(report));
    }
    sinks = sinks_;
  }
  for (const Report& r : reports)
    for (const Sink& sink : sinks) sink(r);
  return reports.size();
}

}  // namespace spans
