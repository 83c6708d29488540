#include "context.hpp"

namespace tops {

context::context(cudaStream_t stream, std::size_t scratch_bytes) : stream_(stream) { reserve(scratch_bytes); }

context::~context() { cudaStreamSynchronize(stream_); }

void context::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  void* p = nullptr;
  check(cudaMalloc(&p, bytes));
  blocks_.emplace_back(p);
  capacity_ = bytes;
}

void* context::scratch_bytes(std::size_t bytes) {
  if (bytes > capacity_) reserve(bytes);
  return blocks_.back().get();
}

}  // namespace tops
