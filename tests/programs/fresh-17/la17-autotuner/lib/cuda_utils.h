#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace kiln {

[[noreturn]] inline void fail(cudaError_t e, const char* expr, const char* file, int line) {
  cudaGetLastError();
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + " " + expr + " -> " +
                           cudaGetErrorString(e));
}

#define KILN_CHECK(expr)                                             \
  do {                                                               \
    cudaError_t e_ = (expr);                                         \
    if (e_ != cudaSuccess) ::kiln::fail(e_, #expr, __FILE__, __LINE__); \
  } while (0)

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDisableTiming) { KILN_CHECK(cudaEventCreateWithFlags(&ev_, flags)); }
  ~Event() { cudaEventDestroy(ev_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t s) { KILN_CHECK(cudaEventRecord(ev_, s)); }
  void block(cudaStream_t s) const { KILN_CHECK(cudaStreamWaitEvent(s, ev_, 0)); }
  void wait() const { KILN_CHECK(cudaEventSynchronize(ev_)); }
  cudaEvent_t raw() const { return ev_; }

 private:
  cudaEvent_t ev_{};
};

/// Time between two points of one stream.
class Stopwatch {
 public:
  void start(cudaStream_t s) { begin_.record(s); }
  void stop(cudaStream_t s) { end_.record(s); }
  float elapsed_ms() const {
    end_.wait();
    float ms = 0.f;
    KILN_CHECK(cudaEventElapsedTime(&ms, begin_.raw(), end_.raw()));
    return ms;
  }

 private:
  Event begin_{cudaEventDefault};
  Event end_{cudaEventDefault};
};

/// Streams of the library itself that take over parts of a caller's work.
class SideStreams {
 public:
  explicit SideStreams(int n) : n_(n) {
    for (int i = 0; i < n_; ++i) KILN_CHECK(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking));
  }
  ~SideStreams() {
    for (int i = 0; i < n_; ++i) cudaStreamDestroy(streams_[i]);
  }
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  int size() const { return n_; }
  cudaStream_t operator[](int i) const { return streams_[i]; }
  void fork(cudaStream_t from) {
    fork_.record(from);
    for (int i = 0; i < n_; ++i) fork_.block(streams_[i]);
  }
  void join(cudaStream_t into) {
    for (int i = 0; i < n_; ++i) {
      join_[i].record(streams_[i]);
      join_[i].block(into);
    }
  }

  static constexpr int kMax = 4;

 private:
  int n_;
  cudaStream_t streams_[kMax]{};
  Event fork_;
  Event join_[kMax];
};

}  // namespace kiln
