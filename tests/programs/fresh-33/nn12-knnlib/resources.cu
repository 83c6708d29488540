#include "resources.hpp"
#include <algorithm>
#include <cstring>

namespace nn {
StagingRing::StagingRing(std::size_t pageBytes, int pages) : pageBytes_(pageBytes), pages_(pages) {
  for (Page& p : pages_) {
    NN_VERIFY(cudaMallocHost(&p.host, pageBytes_));
    NN_VERIFY(cudaEventCreateWithFlags(&p.uploaded, cudaEventDisableTiming));
  }
}

StagingRing::~StagingRing() {
  for (Page& p : pages_) {
    cudaEventSynchronize(p.uploaded);
    cudaEventDestroy(p.uploaded);
    cudaFreeHost(p.host);
  }
}

StagingRing::Page& StagingRing::acquire() {
  Page& page = pages_[next_];
  next_ = (next_ + 1) % pages_.size();
  return page;
}

void StagingRing::upload(void* dst, const void* src, std::size_t bytes, cudaStream_t stream) {
  for (std::size_t at = 0; at < bytes; at += pageBytes_) {
    const std::size_t part = std::min(pageBytes_, bytes - at);
    Page& page = acquire();
    std::memcpy(page.host, static_cast<const char*>(src) + at, part);
    NN_VERIFY(cudaMemcpyAsync(static_cast<char*>(dst) + at, page.host, part, cudaMemcpyHostToDevice, stream));
    NN_VERIFY(cudaEventRecord(page.uploaded, stream));
  }
}
}  // namespace nn
