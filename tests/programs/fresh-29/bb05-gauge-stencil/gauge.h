// gauge: micro-benchmarks for kernels. GAUGE_BENCH(f) registers `void f(gauge::state&)`.
#pragma once

#include "timer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gauge {

struct summary {
  std::string name;
  int samples = 0;
  double mean_ms = 0.0;
  double min_ms = 0.0;
  double elements_per_s = 0.0;
};

struct options {
  int warmups = 2;
  int samples = 12;
};

/// Handed to the function under test; work goes to get_stream().
class launch {
 public:
  explicit launch(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t get_stream() const { return stream_; }

 private:
  cudaStream_t stream_;
};

class state {
 public:
  state(std::string name, const options& opts);
  ~state();
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  /// A benchmark has a stream of its own. It may bring another one, any time before exec().
  void set_cuda_stream(cudaStream_t stream) { stream_ = stream; }
  cudaStream_t get_cuda_stream() const { return stream_; }

  void add_element_count(std::int64_t n) { elements_ += n; }

  /// Measures `work(launch)`: GPU time per call, cold cache, steady state.
  template <class Work>
  void exec(Work&& work) {
    launch l(stream_);
    for (int k = 0; k < opts_.warmups; ++k) work(l);
    check(cudaStreamSynchronize(stream_));
    for (int k = 0; k < opts_.samples; ++k) {
      flush_.run(stream_);
      timer_.start();
      work(l);
      timer_.stop();
      check(cudaStreamSynchronize(stream_));
      times_.push_back(timer_.milliseconds());
    }
  }

  summary get_summary() const;

 private:
  std::string name_;
  options opts_;
  cudaStream_t own_;
  cudaStream_t stream_;
  cuda_timer timer_;
  l2_flush flush_;
  std::int64_t elements_ = 0;
  std::vector<double> times_;
};

using bench_fn = std::function<void(state&)>;

class registry {
 public:
  static registry& instance();
  int add(const char* name, bench_fn fn);
  std::map<std::string, summary> run_all(const options& opts) const;

 private:
  std::vector<std::pair<std::string, bench_fn>> benches_;
};

}  // namespace gauge

#define GAUGE_BENCH(fn) \
  static const int gauge_registered_##fn = ::gauge::registry::instance().add(#fn, fn)
