#include "workspace.hpp"

#include <algorithm>

namespace trainops {

namespace {

constexpr std::size_t kGranule = 64 * 1024;

std::size_t rounded(std::size_t bytes) {
  return std::max<std::size_t>(1, (bytes + kGranule - 1) / kGranule) * kGranule;
}

/// Number of the capture sequence that the stream is in, 0 for none.
unsigned long long capture_sequence(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  if (cudaStreamGetCaptureInfo(stream, &status, &id) != cudaSuccess) return 0;
  return status == cudaStreamCaptureStatusActive ? id : 0;
}

}  // namespace

Workspace::~Workspace() {
  if (cache_) cache_->release(block_, stream_);
}

WorkspaceCache& WorkspaceCache::get() {
  static WorkspaceCache* cache = new WorkspaceCache;
  return *cache;
}

Workspace WorkspaceCache::acquire(std::size_t bytes, cudaStream_t stream) {
  bytes = rounded(bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  const unsigned long long sequence = capture_sequence(stream);
  if (sequence == 0) reclaim_locked();
  auto& source = sequence == 0 ? idle_ : captured_[{sequence, stream}];
  Block block;
  const auto fit = source.lower_bound(bytes);
  if (fit != source.end() && fit->first <= 2 * bytes) {
    block = fit->second;
    source.erase(fit);
  } else {
    block = grow_locked(bytes);
  }
  return Workspace(this, block, stream);
}

void WorkspaceCache::release(Block block, cudaStream_t stream) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (const unsigned long long sequence = capture_sequence(stream)) {
    captured_[{sequence, stream}].emplace(block.bytes, block);
    return;
  }
  cudaEvent_t done = event_locked();
  if (done == nullptr) return;
  if (cudaEventRecord(done, stream) != cudaSuccess) {
    events_.push_back(done);
    return;
  }
  pending_.push_back({block, done});
}

void WorkspaceCache::reclaim_locked() {
  CaptureModeGuard guard(cudaStreamCaptureModeRelaxed);
  for (auto it = pending_.begin(); it != pending_.end();) {
    const cudaError_t status = cudaEventQuery(it->done);
    if (status == cudaErrorNotReady) {
      cudaGetLastError();
      ++it;
      continue;
    }
    check(status, "WorkspaceCache::reclaim");
    events_.push_back(it->done);
    idle_.emplace(it->block.bytes, it->block);
    it = pending_.erase(it);
  }
}

Block WorkspaceCache::grow_locked(std::size_t bytes) {
  CaptureModeGuard guard(cudaStreamCaptureModeRelaxed);
  Block block;
  block.bytes = bytes;
  check(cudaMalloc(&block.ptr, bytes), "WorkspaceCache::grow");
  reserved_ += bytes;
  return block;
}

cudaEvent_t WorkspaceCache::event_locked() {
  if (!events_.empty()) {
    cudaEvent_t e = events_.back();
    events_.pop_back();
    return e;
  }
  cudaEvent_t e = nullptr;
  return cudaEventCreateWithFlags(&e, cudaEventDisableTiming) == cudaSuccess ? e : nullptr;
}

std::size_t WorkspaceCache::reserved() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return reserved_;
}

}  // namespace trainops
