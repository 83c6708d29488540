#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define BENCH_CUDA(call)                                         \
  do {                                                           \
    const cudaError_t bench_rc = (call);                         \
    if (bench_rc != cudaSuccess) {                               \
      std::printf("ERROR %s\n", cudaGetErrorName(bench_rc));     \
      std::exit(1);                                              \
    }                                                            \
  } while (0)

namespace bench {

// State of one measurement. Iterating over it runs the warm-up rounds and then the timed rounds;
// the clock is read when the timed rounds begin and when the last of them has been completed.
class State {
 public:
  State(int warmup, int rounds) : warmup_(warmup), rounds_(rounds) {
    BENCH_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~State() { cudaStreamDestroy(stream_); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  struct Tick {};
  class Iterator {
   public:
    Iterator(State* state, int at) : state_(state), at_(at) {}
    Tick operator*() const { return Tick(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& end) const {
      if (at_ == 0) state_->begin_ = state_->now();
      if (at_ != end.at_) return true;
      state_->end_ = state_->now();
      return false;
    }

   private:
    State* state_;
    int at_;
  };
  Iterator begin() { return Iterator(this, -warmup_); }
  Iterator end() { return Iterator(this, rounds_); }

  cudaStream_t stream() const { return stream_; }
  void setBytesPerRound(double bytes) { bytes_ = bytes; }

  int totalRounds() const { return warmup_ + rounds_; }
  double secondsPerRound() const {
    return std::chrono::duration<double>(end_ - begin_).count() / rounds_;
  }
  double gigabytesPerSecond() const { return bytes_ / secondsPerRound() * 1e-9; }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point now() const {
    BENCH_CUDA(cudaStreamSynchronize(stream_));
    return Clock::now();
  }

  int warmup_;
  int rounds_;
  cudaStream_t stream_ = nullptr;
  double bytes_ = 0.0;
  Clock::time_point begin_;
  Clock::time_point end_;
};

struct Workspace;
using Function = void (*)(State&, Workspace&);

struct Entry {
  std::string name;
  Function function;
};

inline std::vector<Entry>& entries() {
  static std::vector<Entry> list;
  return list;
}

struct Registrar {
  Registrar(const char* name, Function function) { entries().push_back({name, function}); }
};

}  // namespace bench

#define BENCHMARK_CASE(fn) static const bench::Registrar registrar_##fn(#fn, fn)
