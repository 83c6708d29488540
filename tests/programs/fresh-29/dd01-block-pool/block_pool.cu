#include "block_pool.h"

#include <algorithm>

namespace mem {

namespace {
size_t size_class(size_t bytes) {
  size_t c = 512;
  while (c < bytes) c <<= 1;
  return c;
}
}  // namespace

cudaEvent_t BlockPool::take_event() {
  if (!idle_events_.empty()) {
    cudaEvent_t e = idle_events_.back();
    idle_events_.pop_back();
    return e;
  }
  cudaEvent_t e = nullptr;
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  return e;
}

void* BlockPool::acquire(size_t bytes, cudaStream_t home) {
  const size_t cls = size_class(bytes);
  std::lock_guard<std::mutex> hold(mutex_);
  sweep();

  Shelf& shelf = shelves_[Key(home, cls)];
  if (!shelf.empty()) {
    Block b = std::move(shelf.back());
    shelf.pop_back();
    void* base = b.base;
    live_.emplace(base, std::move(b));
    ++stats_.served_from_shelf;
    return base;
  }

  if (stats_.reserved + cls > limit_) flush();

  Block b;
  b.bytes = cls;
  b.home = home;
  cudaError_t s = cudaMalloc(&b.base, cls);
  if (s == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    flush();
    s = cudaMalloc(&b.base, cls);
  }
  check(s);
  stats_.reserved += cls;
  ++stats_.driver_allocations;
  void* base = b.base;
  live_.emplace(base, std::move(b));
  return base;
}

void BlockPool::visit(void* p, cudaStream_t guest) {
  std::lock_guard<std::mutex> hold(mutex_);
  Block& b = live_.at(p);
  if (guest == b.home) return;
  if (std::find(b.guests.begin(), b.guests.end(), guest) == b.guests.end())
    b.guests.push_back(guest);
}

void BlockPool::release(void* p) {
  std::lock_guard<std::mutex> hold(mutex_);
  auto it = live_.find(p);
  if (it == live_.end()) return;
  Block b = std::move(it->second);
  live_.erase(it);

  if (b.guests.empty()) {
    shelves_[Key(b.home, b.bytes)].push_back(std::move(b));
    return;
  }
  Parked parked;
  for (cudaStream_t g : b.guests) {
    cudaEvent_t e = take_event();
    check(cudaEventRecord(e, g));
    parked.fences.push_back(e);
  }
  b.guests.clear();
  parked.block = std::move(b);
  parked_.push_back(std::move(parked));
}

void BlockPool::sweep() {
  auto out = parked_.begin();
  for (auto it = parked_.begin(); it != parked_.end(); ++it) {
    while (!it->fences.empty()) {
      cudaError_t s = cudaEventQuery(it->fences.back());
      if (s == cudaErrorNotReady) {
        cudaGetLastError();
        break;
      }
      check(s);
      idle_events_.push_back(it->fences.back());
      it->fences.pop_back();
    }
    if (it->fences.empty()) {
      Key k(it->block.home, it->block.bytes);
      shelves_[k].push_back(std::move(it->block));
    } else {
      if (out != it) *out = std::move(*it);
      ++out;
    }
  }
  parked_.erase(out, parked_.end());
}

void BlockPool::settle(Parked& p) {
  for (cudaEvent_t e : p.fences) {
    check(cudaEventSynchronize(e));
    idle_events_.push_back(e);
  }
  p.fences.clear();
}

void BlockPool::flush() {
  for (Parked& p : parked_) settle(p);
  sweep();
  check(cudaDeviceSynchronize());
  for (auto& kv : shelves_) {
    for (Block& b : kv.second) {
      check(cudaFree(b.base));
      stats_.reserved -= b.bytes;
    }
    kv.second.clear();
  }
  ++stats_.flushes;
}

void BlockPool::forget_stream(cudaStream_t home) {
  std::lock_guard<std::mutex> hold(mutex_);
  for (Parked& p : parked_)
    if (p.block.home == home) settle(p);
  sweep();
  check(cudaStreamSynchronize(home));
  for (auto it = shelves_.begin(); it != shelves_.end();) {
    if (it->first.first != home) {
      ++it;
      continue;
    }
    for (Block& b : it->second) {
      check(cudaFree(b.base));
      stats_.reserved -= b.bytes;
    }
    it = shelves_.erase(it);
  }
}

PoolStats BlockPool::stats() const {
  std::lock_guard<std::mutex> hold(mutex_);
  return stats_;
}

BlockPool::~BlockPool() {
  for (Parked& p : parked_)
    for (cudaEvent_t e : p.fences) {
      cudaEventSynchronize(e);
      cudaEventDestroy(e);
    }
  cudaDeviceSynchronize();
  for (Parked& p : parked_) cudaFree(p.block.base);
  for (auto& kv : shelves_)
    for (Block& b : kv.second) cudaFree(b.base);
  for (auto& kv : live_) cudaFree(kv.first);
  for (cudaEvent_t e : idle_events_) cudaEventDestroy(e);
}

}  // namespace mem
