#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace cuw {

class exception : public std::runtime_error {
 public:
  exception(cudaError_t code, char const* what)
    : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

inline void throw_if_error(cudaError_t code, char const* what) {
  if (code != cudaSuccess) throw exception(code, what);
}

/// Non-owning stream. A default constructed one is the default stream.
class stream_ref {
 public:
  constexpr stream_ref() = default;
  constexpr stream_ref(cudaStream_t s) : handle_(s) {}
  constexpr cudaStream_t get() const noexcept { return handle_; }
  void wait() const { throw_if_error(cudaStreamSynchronize(handle_), "stream_ref::wait"); }

 private:
  cudaStream_t handle_ = nullptr;
};

/// Owning stream, independent of the default stream.
class stream {
 public:
  explicit stream(int priority = 0) {
    throw_if_error(cudaStreamCreateWithPriority(&handle_, cudaStreamNonBlocking, priority),
                   "stream::stream");
  }
  stream(stream&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  stream& operator=(stream&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~stream() {
    if (handle_) cudaStreamDestroy(handle_);
  }
  operator stream_ref() const noexcept { return stream_ref(handle_); }
  cudaStream_t get() const noexcept { return handle_; }
  void wait() const { stream_ref(handle_).wait(); }

 private:
  cudaStream_t handle_ = nullptr;
};

using milliseconds = std::chrono::duration<float, std::milli>;

/// Owning event that carries a time.
class timed_event {
 public:
  timed_event() { throw_if_error(cudaEventCreate(&handle_), "timed_event::timed_event"); }
  timed_event(timed_event&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  timed_event& operator=(timed_event&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~timed_event() {
    if (handle_) cudaEventDestroy(handle_);
  }

  void record(stream_ref s = {}) {
    throw_if_error(cudaEventRecord(handle_, s.get()), "timed_event::record");
  }
  void wait() const { throw_if_error(cudaEventSynchronize(handle_), "timed_event::wait"); }
  cudaEvent_t get() const noexcept { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// Device time from the completion of `from` to that of `to`. Waits for both.
inline milliseconds elapsed(timed_event const& from, timed_event const& to) {
  from.wait();
  to.wait();
  float ms = 0;
  throw_if_error(cudaEventElapsedTime(&ms, from.get(), to.get()), "elapsed");
  return milliseconds(ms);
}

}  // namespace cuw
