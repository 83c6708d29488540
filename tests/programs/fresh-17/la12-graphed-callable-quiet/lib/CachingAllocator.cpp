#include "CachingAllocator.h"

namespace thx {

static thread_local cudaStream_t current_stream = cudaStreamPerThread;

cudaStream_t getCurrentStream() noexcept {
  return current_stream;
}
void setCurrentStream(cudaStream_t s) noexcept {
  current_stream = s;
}

CachingAllocator& CachingAllocator::get() {
  static auto* a = new CachingAllocator;
  return *a;
}

void* CachingAllocator::malloc(size_t nbytes, cudaStream_t stream) {
  if (nbytes == 0) return nullptr;
  const size_t size = roundSize(nbytes);
  std::lock_guard<std::mutex> lock(mutex_);

  // Blocks whose other streams are done by now may serve this request.
  processEvents();

  auto it = cached_.find({stream, size});
  if (it != cached_.end()) {
    Block* b = it->second;
    cached_.erase(it);
    return b->ptr;
  }

  auto b = std::make_unique<Block>();
  b->size = size;
  b->stream = stream;
  {
    // the driver's allocator may be called while this or another thread captures
    StreamCaptureModeGuard relaxed(cudaStreamCaptureModeRelaxed);
    THX_CUDA_CHECK(cudaMalloc(&b->ptr, size));
  }
  void* p = b->ptr;
  all_.emplace(p, std::move(b));
  return p;
}

void CachingAllocator::free(void* ptr) {
  if (!ptr) return;
  std::lock_guard<std::mutex> lock(mutex_);
  auto it = all_.find(ptr);
  THX_CHECK(it != all_.end(), "free: not a block of this allocator");
  if (captures_underway_ > 0) {
    held_.push_back(ptr);
    return;
  }
  Block* b = it->second.get();
  b->stream_uses.empty() ? cacheBlock(b) : insertEvents(b);
}

void CachingAllocator::recordStream(void* ptr, cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto it = all_.find(ptr);
  if (it != all_.end() && it->second->stream != stream)
    it->second->stream_uses.insert(stream);
}

void CachingAllocator::insertEvents(Block* b) {
  std::set<cudaStream_t> streams;
  streams.swap(b->stream_uses);
  for (cudaStream_t s : streams) {
    cudaEvent_t e;
    THX_CUDA_CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    THX_CUDA_CHECK(cudaEventRecord(e, s));
    ++b->event_count;
    pending_.emplace_back(e, b);
  }
}

void CachingAllocator::processEvents() {
  if (captures_underway_ > 0) return; // event queries are not allowed then
  while (!pending_.empty()) {
    cudaEvent_t e = pending_.front().first;
    Block* b = pending_.front().second;
    const cudaError_t err = cudaEventQuery(e);
    if (err == cudaErrorNotReady) {
      (void)cudaGetLastError();
      break;
    }
    THX_CUDA_CHECK(err);
    THX_CUDA_CHECK(cudaEventDestroy(e));
    pending_.pop_front();
    if (--b->event_count == 0) cacheBlock(b);
  }
}

void CachingAllocator::cacheBlock(Block* b) {
  cached_.emplace(std::make_pair(b->stream, b->size), b);
}

void CachingAllocator::beginCapture() {
  std::lock_guard<std::mutex> lock(mutex_);
  ++captures_underway_;
}

std::vector<void*> CachingAllocator::endCapture() {
  std::lock_guard<std::mutex> lock(mutex_);
  --captures_underway_;
  return std::exchange(held_, {});
}

void CachingAllocator::releaseHeld(const std::vector<void*>& blocks) {
  for (void* p : blocks)
    this->free(p);
}

} // namespace thx
