#pragma once
// A small benchmark harness for device primitives.
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {
#define BENCH_CALL(...)                                                              \
  do {                                                                               \
    const cudaError_t code_ = (__VA_ARGS__);                                         \
    if (code_ != cudaSuccess) ::bench::give_up(code_, #__VA_ARGS__, __LINE__);       \
  } while (0)

[[noreturn]] inline void give_up(cudaError_t code, const char* text, int line) {
  std::fprintf(stderr, "line %d: %s\n", line, text);
  std::printf("ERROR %s\n", cudaGetErrorName(code));
  std::fflush(stdout);
  std::_Exit(2);
}

struct RunConfig {
  int warmups = 1;
  int samples = 3;
  int repeats = 2;  ///< bodies per sample
};

/// What a case gets to work with.
class Context {
 public:
  Context() { BENCH_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Context() { cudaStreamDestroy(stream_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  cudaStream_t stream() const { return stream_; }
  void drain() const { BENCH_CALL(cudaStreamSynchronize(stream_)); }
 private:
  cudaStream_t stream_ = nullptr;
};

/// One measurable piece of work on inputs that are made afresh for every sample.
class Case {
 public:
  virtual ~Case() = default;
  virtual std::string name() const = 0;
  virtual void set_up(Context& context) = 0;
  virtual void body(Context& context) = 0;
  virtual bool verify(Context& context) = 0;
  virtual int64_t items() const = 0;
};

class Stopwatch {
 public:
  void start() { begin_ = clock::now(); }
  double seconds() const { return std::chrono::duration<double>(clock::now() - begin_).count(); }
 private:
  using clock = std::chrono::steady_clock;
  clock::time_point begin_;
};

struct Result {
  std::string name;
  double seconds_per_body = 0.0;
  double items_per_second = 0.0;
  bool valid = false;
};

class Runner {
 public:
  explicit Runner(const RunConfig& config) : config_(config) {}

  Result run(Case& c) {
    for (int i = 0; i < config_.warmups; ++i) sample(c);
    std::vector<double> times;
    for (int i = 0; i < config_.samples; ++i) times.push_back(sample(c));
    std::sort(times.begin(), times.end());
    Result r;
    r.name = c.name();
    r.seconds_per_body = times[times.size() / 2];
    r.items_per_second = double(c.items()) / r.seconds_per_body;
    r.valid = c.verify(context_);
    return r;
  }
 private:
  double sample(Case& c) {
    c.set_up(context_);
    context_.drain();
    return timed([&] { c.body(context_); });
  }
  template <typename Body>
  double timed(Body&& body) {
    watch_.start();
    for (int i = 0; i < config_.repeats; ++i) body();
    context_.drain();
    return watch_.seconds() / config_.repeats;
  }
  RunConfig config_;
  Context context_;
  Stopwatch watch_;
};

/// Cases register themselves under a name at start-up.
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Case>()>;
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  bool add(Factory factory) {
    factories_.push_back(std::move(factory));
    return true;
  }
  const std::vector<Factory>& factories() const { return factories_; }
 private:
  std::vector<Factory> factories_;
};
}  // namespace bench
