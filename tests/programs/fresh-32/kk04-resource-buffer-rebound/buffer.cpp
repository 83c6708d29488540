#include "buffer.hpp"

namespace memkit {
namespace {

void order_behind(cudaStream_t later, cudaStream_t earlier) {
  if (later == earlier) return;
  cudaEvent_t e;
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  cudaError_t s = cudaEventRecord(e, earlier);
  if (s == cudaSuccess) s = cudaStreamWaitEvent(later, e, 0);
  cudaEventDestroy(e);
  check(s, "order_behind");
}

}  // namespace

void buffer::resize(std::size_t bytes, cudaStream_t stream) {
  order_behind(stream, stream_);
  if (bytes <= capacity_) {
    size_ = bytes;
    stream_ = stream;
    return;
  }
  void* grown = mr_->allocate(bytes, stream);
  if (data_) {
    check(cudaMemcpyAsync(grown, data_, size_, cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
    mr_->deallocate(data_, capacity_, stream);
  }
  data_ = grown;
  size_ = bytes;
  capacity_ = bytes;
  stream_ = stream;
}

}  // namespace memkit
