#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

class CudaError : public std::runtime_error {
 public:
  explicit CudaError(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

inline void must(cudaError_t c) {
  if (c != cudaSuccess) throw CudaError(c);
}

struct Options {
  int warmups = 3;
  int samples = 9;
  double min_sample_ms = 4.0;
  bool cold_cache = false;
};

struct Report {
  std::string name;
  int inner = 1;
  double median_ms = 0;
  double best_ms = 0;
  double worst_ms = 0;
  double wall_ms = 0;
};

class EventPair {
 public:
  EventPair() {
    must(cudaEventCreate(&a_));
    must(cudaEventCreate(&b_));
  }
  EventPair(EventPair&& o) noexcept
      : a_(std::exchange(o.a_, nullptr)), b_(std::exchange(o.b_, nullptr)) {}
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;
  ~EventPair() {
    if (a_) cudaEventDestroy(a_);
    if (b_) cudaEventDestroy(b_);
  }
  void open(cudaStream_t s) { must(cudaEventRecord(a_, s)); }
  void close(cudaStream_t s) { must(cudaEventRecord(b_, s)); }
  double ms() const {
    float f = 0;
    must(cudaEventElapsedTime(&f, a_, b_));
    return f;
  }

 private:
  cudaEvent_t a_ = nullptr, b_ = nullptr;
};

// The stream under test, helper streams and what is needed around them.
class Session {
 public:
  explicit Session(int helpers);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  cudaStream_t stream() const { return stream_; }
  size_t helpers() const { return helpers_.size(); }
  void evict_cache(cudaStream_t s);

  template <class F>
  void spread(cudaStream_t trunk, size_t width, F&& f) {
    must(cudaEventRecord(fork_, trunk));
    for (size_t i = 0; i < width; ++i) {
      if (i == 0) {
        f(trunk, i);
        continue;
      }
      cudaStream_t h = helpers_.at(i - 1);
      must(cudaStreamWaitEvent(h, fork_, 0));
      f(h, i);
      must(cudaEventRecord(joins_[i - 1], h));
    }
    for (size_t i = 1; i < width; ++i) must(cudaStreamWaitEvent(trunk, joins_[i - 1], 0));
  }

 private:
  cudaStream_t stream_ = nullptr;
  std::vector<cudaStream_t> helpers_;
  std::vector<cudaEvent_t> joins_;
  cudaEvent_t fork_ = nullptr;
  void* sweep_ = nullptr;
  size_t sweep_bytes_ = 0;
};

double median(std::vector<double> v);

// CRTP base of a benchmark: Derived has run(Session&, cudaStream_t) and may
// shadow prepare() and name().
template <class Derived>
class Benchmark {
 public:
  void prepare(Session&) {}
  std::string name() const { return "unnamed"; }

  Report measure(Session& session, Options opt = {}) {
    Derived& self = static_cast<Derived&>(*this);
    cudaStream_t s = session.stream();
    self.prepare(session);
    for (int i = 0; i < opt.warmups; ++i) {
      if (opt.cold_cache) session.evict_cache(s);
      self.run(session, s);
    }
    must(cudaStreamSynchronize(s));

    Report r;
    r.name = self.name();
    r.inner = opt.cold_cache ? 1 : calibrate(session, s, opt);

    std::vector<EventPair> marks(opt.samples);
    for (EventPair& m : marks) {
      if (opt.cold_cache) session.evict_cache(s);
      m.open(s);
      for (int k = 0; k < r.inner; ++k) self.run(session, s);
      m.close(s);
    }
    must(cudaStreamSynchronize(s));
    std::vector<double> ms;
    for (const EventPair& m : marks) ms.push_back(m.ms() / r.inner);
    summarise(r, ms);

    r.wall_ms = wall(session, s, opt, r.inner);
    return r;
  }

 private:
  int calibrate(Session& session, cudaStream_t s, const Options& opt) {
    Derived& self = static_cast<Derived&>(*this);
    EventPair probe;
    for (int n = 1; n < 4096; n *= 2) {
      probe.open(s);
      for (int k = 0; k < n; ++k) self.run(session, s);
      probe.close(s);
      must(cudaStreamSynchronize(s));
      if (probe.ms() >= opt.min_sample_ms) return n;
    }
    return 4096;
  }

  double wall(Session& session, cudaStream_t s, const Options& opt, int inner) {
    using clock = std::chrono::steady_clock;
    Derived& self = static_cast<Derived&>(*this);
    std::vector<double> ms;
    for (int i = 0; i < opt.samples; ++i) {
      if (opt.cold_cache) session.evict_cache(s);
      must(cudaStreamSynchronize(s));
      const auto t0 = clock::now();
      for (int k = 0; k < inner; ++k) self.run(session, s);
      must(cudaStreamSynchronize(s));
      ms.push_back(std::chrono::duration<double, std::milli>(clock::now() - t0).count() / inner);
    }
    return median(ms);
  }

  static void summarise(Report& r, const std::vector<double>& ms) {
    r.median_ms = median(ms);
    r.best_ms = r.worst_ms = ms.front();
    for (double v : ms) {
      if (v < r.best_ms) r.best_ms = v;
      if (v > r.worst_ms) r.worst_ms = v;
    }
  }
};

}  // namespace bench
