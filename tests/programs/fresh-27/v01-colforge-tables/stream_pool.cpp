#include <colforge/stream_pool.hpp>

#include <algorithm>

namespace colforge {

stream_pool::stream_pool(int size)
{
  streams_.resize(size);
  for (auto& s : streams_) {
    COLFORGE_CUDA_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  }
  COLFORGE_CUDA_TRY(cudaEventCreateWithFlags(&marker_, cudaEventDisableTiming));
}

stream_pool::~stream_pool()
{
  for (auto s : streams_) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
  cudaEventDestroy(marker_);
}

std::vector<cudaStream_t> fork_streams(stream_pool& pool, cudaStream_t parent, int count)
{
  std::vector<cudaStream_t> forked;
  forked.reserve(count);
  COLFORGE_CUDA_TRY(cudaEventRecord(pool.marker(), parent));
  for (int i = 0; i < std::min(count, pool.size()); ++i) {
    forked.push_back(pool.at(i));
    COLFORGE_CUDA_TRY(cudaStreamWaitEvent(forked.back(), pool.marker(), 0));
  }
  return forked;
}

void join_streams(stream_pool& pool, const std::vector<cudaStream_t>& streams, cudaStream_t parent)
{
  if (streams.empty()) { return; }
  for (auto s : streams) {
    COLFORGE_CUDA_TRY(cudaEventRecord(pool.marker(), s));
  }
  COLFORGE_CUDA_TRY(cudaStreamWaitEvent(parent, pool.marker(), 0));
}

}  // namespace colforge
