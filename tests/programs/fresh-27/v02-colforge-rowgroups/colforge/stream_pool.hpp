#pragma once
#include <colforge/error.hpp>

#include <vector>

namespace colforge {

/// A fixed set of non-blocking streams that an algorithm may spread its work over.
class stream_pool {
 public:
  explicit stream_pool(int size);
  ~stream_pool();
  stream_pool(const stream_pool&)            = delete;
  stream_pool& operator=(const stream_pool&) = delete;

  int size() const { return static_cast<int>(streams_.size()); }
  cudaStream_t at(int i) const { return streams_[i % streams_.size()]; }
  cudaEvent_t marker() const { return marker_; }

 private:
  std::vector<cudaStream_t> streams_;
  cudaEvent_t marker_ = nullptr;
};

/// Returns `count` pool streams that continue after the work now in `parent`.
std::vector<cudaStream_t> fork_streams(stream_pool& pool, cudaStream_t parent, int count);

/// Makes `parent` continue after the work now in `streams`.
void join_streams(stream_pool& pool, const std::vector<cudaStream_t>& streams, cudaStream_t parent);

}  // namespace colforge
