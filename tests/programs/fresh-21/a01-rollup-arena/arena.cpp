#include "arena.hpp"

#include <iterator>
#include <utility>

namespace tbl {

static std::size_t round_up(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

static cudaEvent_t mark(cudaStream_t stream) {
  cudaEvent_t e = nullptr;
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  check(cudaEventRecord(e, stream));
  return e;
}

lease::~lease() { owner_.give_back(base_, bytes_, stream_); }

arena::arena(std::size_t bytes) {
  check(cudaMalloc(reinterpret_cast<void**>(&slab_), round_up(bytes)));
  free_.emplace(slab_, extent{round_up(bytes), {}});
}

arena::~arena() {
  cudaFree(slab_);
  for (auto& piece : free_)
    for (cudaEvent_t e : piece.second.after) cudaEventDestroy(e);
}

lease arena::take(std::size_t bytes, cudaStream_t stream) {
  const std::size_t want = round_up(bytes);
  std::lock_guard<std::mutex> hold(mutex_);
  auto slot = best_fit(want);
  if (slot == free_.end()) slot = (merge_neighbours(), best_fit(want));
  if (slot == free_.end()) throw cuda_failure(cudaErrorMemoryAllocation);

  char* base = slot->first;
  extent found = std::move(slot->second);
  free_.erase(slot);
  for (cudaEvent_t e : found.after) {
    check(cudaStreamWaitEvent(stream, e, 0));
    check(cudaEventDestroy(e));
  }
  if (found.bytes > want) {
    extent rest{found.bytes - want, {}};
    free_.emplace(base + want, std::move(rest));
  }
  return lease(*this, base, want, stream);
}

arena::extents::iterator arena::best_fit(std::size_t want) {
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second.bytes < want) continue;
    if (best == free_.end() || it->second.bytes < best->second.bytes) best = it;
  }
  return best;
}

void arena::merge_neighbours() {
  if (free_.empty()) return;
  auto left = free_.begin();
  for (auto right = std::next(left); right != free_.end();) {
    auto& into = left->second;
    if (left->first + into.bytes == right->first) {
      into.bytes += right->second.bytes;
      for (cudaEvent_t e : right->second.after) into.after.push_back(e);
      right = free_.erase(right);
    } else {
      left = right++;
    }
  }
}

void arena::give_back(char* base, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard<std::mutex> hold(mutex_);
  free_.emplace(base, extent{bytes, {mark(stream)}});
}

}  // namespace tbl
