#include "tile_uploader.hpp"

#include <algorithm>
#include <cstring>

namespace tiles {

tile_uploader::tile_uploader(uploader_options const& opt) : opt_(opt), ring_(opt.slots) {
  TILES_TRY(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
  TILES_TRY(cudaEventCreateWithFlags(&mark_, cudaEventDisableTiming));
  for (auto& s : ring_) {
    TILES_TRY(cudaHostAlloc(reinterpret_cast<void**>(&s.pinned), opt_.slot_bytes, cudaHostAllocWriteCombined));
    TILES_TRY(cudaEventCreateWithFlags(&s.done, cudaEventDisableTiming | cudaEventBlockingSync));
  }
}

tile_uploader::~tile_uploader() {
  cudaStreamSynchronize(copy_);
  for (auto& s : ring_) {
    cudaEventDestroy(s.done);
    cudaFreeHost(s.pinned);
  }
  cudaEventDestroy(mark_);
  cudaStreamDestroy(copy_);
}

void tile_uploader::upload(void const* src, std::size_t bytes, void* dst, cudaStream_t consumer) {
  auto const* from = static_cast<unsigned char const*>(src);
  auto* to = static_cast<unsigned char*>(dst);

  TILES_TRY(cudaEventRecord(mark_, consumer));
  TILES_TRY(cudaStreamWaitEvent(copy_, mark_, 0));

  while (bytes > 0) {
    std::size_t const part = std::min(bytes, opt_.slot_bytes);
    slot& s = ring_[count_++ % ring_.size()];

    TILES_TRY(cudaEventSynchronize(s.done));
    std::memcpy(s.pinned, from, part);
    TILES_TRY(cudaMemcpyAsync(to, s.pinned, part, cudaMemcpyHostToDevice, copy_));
    TILES_TRY(cudaEventRecord(s.done, copy_));

    from += part;
    to += part;
    bytes -= part;
  }

  TILES_TRY(cudaEventRecord(mark_, copy_));
  TILES_TRY(cudaStreamWaitEvent(consumer, mark_, 0));
}

}  // namespace tiles
