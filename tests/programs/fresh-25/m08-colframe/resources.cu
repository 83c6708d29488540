#include "resources.h"

#include <cstdint>

namespace colframe {
namespace {

cudaMemPool_t scratch_pool()
{
  static const cudaMemPool_t pool = [] {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    cudaMemPool_t p = nullptr;
    require(cudaMemPoolCreate(&p, &props));
    std::uint64_t keep = UINT64_MAX;
    require(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &keep));
    int off = 0;
    require(cudaMemPoolSetAttribute(p, cudaMemPoolReuseAllowInternalDependencies, &off));
    return p;
  }();
  return pool;
}

}  // namespace

cudaStream_t default_stream()
{
  static const cudaStream_t stream = [] {
    cudaStream_t s = nullptr;
    require(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return s;
  }();
  return stream;
}

scratch::scratch(std::size_t bytes, cudaStream_t stream) : stream_(stream)
{
  require(cudaMallocFromPoolAsync(&p_, bytes, scratch_pool(), stream));
}

scratch::~scratch() { cudaFreeAsync(p_, stream_); }

stream_pool::stream_pool(int n)
{
  streams_.resize(n);
  for (auto& s : streams_) require(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  require(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
}

stream_pool::~stream_pool()
{
  for (auto s : streams_) cudaStreamDestroy(s);
  cudaEventDestroy(event_);
}

void stream_pool::fork_from(cudaStream_t stream)
{
  require(cudaEventRecord(event_, stream));
  for (auto s : streams_) require(cudaStreamWaitEvent(s, event_, 0));
}

void stream_pool::join_to(cudaStream_t stream)
{
  for (auto s : streams_) {
    require(cudaEventRecord(event_, s));
    require(cudaStreamWaitEvent(stream, event_, 0));
  }
}

}  // namespace colframe
