// Device times of operators.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "context.hpp"

namespace minirt {

struct OpStats {
  std::size_t calls = 0;
  double total_ms = 0;
  double min_ms = 0;
  double max_ms = 0;
};

/// Events for reuse.
class EventPool {
 public:
  EventPool() = default;
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;
  cudaEvent_t take();
  void give(cudaEvent_t e) { free_.push_back(e); }

 private:
  std::vector<cudaEvent_t> free_;
};

/// Takes the time of all operators of a context between construction and destruction.
/// Operators may contain others, each has its own entry.
class Profiler : public OpObserver {
 public:
  explicit Profiler(Context& ctx);
  ~Profiler() override;

  void on_begin(const Context& ctx, const char* op) override;
  void on_end(const Context& ctx, const char* op) override;

  /// Waits for what was recorded so far.
  const std::map<std::string, OpStats>& stats();
  void reset();

 private:
  struct Range {
    std::string op;
    cudaEvent_t begin;
    cudaEvent_t end;
    cudaStream_t stream;
  };
  void collect();

  Context& ctx_;
  EventPool events_;
  std::vector<Range> open_;
  std::vector<Range> closed_;
  std::map<std::string, OpStats> stats_;
};

}  // namespace minirt
