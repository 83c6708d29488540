#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include <cuda_runtime.h>

namespace clusterkit {

inline void expects(cudaError_t rc)
{
  if (rc != cudaSuccess) throw rc;
}

/// Carries what an algorithm needs from its caller: the caller's stream, lanes of the
/// library's own for independent pieces, and scratch memory.
class resources {
 public:
  explicit resources(cudaStream_t caller, int lanes = 4) : stream_(caller), lanes_(lanes), lane_done_(lanes)
  {
    for (auto& l : lanes_) expects(cudaStreamCreateWithFlags(&l, cudaStreamNonBlocking));
    for (auto& e : lane_done_) expects(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    expects(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  }
  resources(resources const&) = delete;
  ~resources()
  {
    cudaStreamSynchronize(stream_);
    for (auto l : lanes_) cudaStreamSynchronize(l), cudaStreamDestroy(l);
    for (auto e : lane_done_) cudaEventDestroy(e);
    cudaEventDestroy(fork_);
    cudaFree(scratch_);
  }

  cudaStream_t get_stream() const { return stream_; }
  int lane_count() const { return static_cast<int>(lanes_.size()); }
  cudaStream_t get_lane(int i) const { return lanes_[i % lanes_.size()]; }
  void sync_stream() const { expects(cudaStreamSynchronize(stream_)); }

  /// Scratch in the order of the caller's stream; valid until the next request.
  template <typename T>
  T* scratch(std::size_t count) const
  {
    std::size_t const bytes = count * sizeof(T);
    if (bytes > scratch_bytes_) {
      if (scratch_) expects(cudaFree(scratch_));
      scratch_       = nullptr;
      scratch_bytes_ = 0;
      expects(cudaMalloc(&scratch_, bytes));
      scratch_bytes_ = bytes;
    }
    return static_cast<T*>(scratch_);
  }

 private:
  friend class fan_out;
  cudaStream_t stream_;
  std::vector<cudaStream_t> lanes_;
  std::vector<cudaEvent_t> lane_done_;
  cudaEvent_t fork_{};
  mutable void* scratch_{};
  mutable std::size_t scratch_bytes_{};
};

/// While it lives, work may be spread over `width` lanes. The lanes start behind the caller's
/// stream, and the caller's stream goes on behind them.
class fan_out {
 public:
  fan_out(resources const& res, int width) : res_(res), width_(std::min(width, res.lane_count()))
  {
    expects(cudaEventRecord(res_.fork_, res_.stream_));
    for (int i = 0; i < width_; ++i) expects(cudaStreamWaitEvent(res_.lanes_[i], res_.fork_, 0));
  }
  fan_out(fan_out const&) = delete;
  ~fan_out()
  {
    for (int i = 0; i < width_; ++i) {
      cudaEventRecord(res_.lane_done_[i], res_.lanes_[i]);
      cudaStreamWaitEvent(res_.stream_, res_.lane_done_[i], 0);
    }
  }
  int slot(int piece) const { return piece % width_; }
  cudaStream_t stream(int piece) const { return res_.lanes_[slot(piece)]; }

 private:
  resources const& res_;
  int width_;
};

}  // namespace clusterkit
