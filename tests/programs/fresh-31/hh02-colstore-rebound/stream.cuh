#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace colstore {

struct cuda_error : std::runtime_error {
  explicit cuda_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)), code(e) {}
  cudaError_t code;
};

inline void check(cudaError_t e)
{
  if (e != cudaSuccess) throw cuda_error(e);
}

/// Non-owning handle of a stream.
class stream_view {
 public:
  constexpr stream_view() = default;
  constexpr stream_view(cudaStream_t s) : s_{s} {}
  cudaStream_t value() const noexcept { return s_; }
  void synchronize() const { check(cudaStreamSynchronize(s_)); }

 private:
  cudaStream_t s_{};
};

class event {
 public:
  event() { check(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
  ~event() { cudaEventDestroy(e_); }
  event(event const&)            = delete;
  event& operator=(event const&) = delete;
  void record(stream_view s) { check(cudaEventRecord(e_, s.value())); }
  void block(stream_view s) const { check(cudaStreamWaitEvent(s.value(), e_, 0)); }

 private:
  cudaEvent_t e_{};
};

class stream {
 public:
  stream() { check(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
  ~stream()
  {
    if (s_) cudaStreamDestroy(s_);
  }
  stream(stream&& o) noexcept : s_{std::exchange(o.s_, nullptr)} {}
  stream& operator=(stream&&) = delete;
  operator stream_view() const noexcept { return s_; }

 private:
  cudaStream_t s_{};
};

/// Internal lanes that a reader spreads its columns over.
class stream_pool {
 public:
  explicit stream_pool(std::size_t n) : lanes_(n) {}
  std::size_t size() const noexcept { return lanes_.size(); }

  /// `n` lanes, ordered after everything already in `from`.
  std::vector<stream_view> fork(stream_view from, std::size_t n)
  {
    event start;
    start.record(from);
    std::vector<stream_view> out;
    for (std::size_t i = 0; i < n; ++i) {
      stream_view lane = lanes_[i % lanes_.size()];
      start.block(lane);
      out.push_back(lane);
    }
    return out;
  }

  /// Order `to` after everything in `lanes`.
  static void join(std::vector<stream_view> const& lanes, stream_view to)
  {
    event done;
    for (auto lane : lanes) {
      done.record(lane);
      done.block(to);
    }
  }

 private:
  std::vector<stream> lanes_;
};

}  // namespace colstore
