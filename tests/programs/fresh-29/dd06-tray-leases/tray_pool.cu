#include "tray_pool.h"

#include <algorithm>

namespace radar {

TrayPool::TrayPool(int count, size_t samples) {
  try {
    for (int i = 0; i < count; ++i) {
      entries_.push_back(std::make_unique<Entry>());
      Entry* e = entries_.back().get();
      e->pool = this;
      e->tray.samples = samples;
      expect(cudaMallocHost(&e->tray.host_in, samples * sizeof(int)));
      expect(cudaMallocHost(&e->tray.host_out, samples * sizeof(int)));
      expect(cudaMalloc(&e->tray.dev_in, samples * sizeof(int)));
      expect(cudaMalloc(&e->tray.dev_out, samples * sizeof(int)));
      free_.push_back(e);
    }
  } catch (...) {
    release_memory();
    throw;
  }
}

TrayPool::~TrayPool() {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    home_.wait(lock, [this] { return free_.size() == entries_.size(); });
  }
  release_memory();
}

void TrayPool::release_memory() {
  for (auto& e : entries_) {
    cudaFreeHost(e->tray.host_in);
    cudaFreeHost(e->tray.host_out);
    cudaFree(e->tray.dev_in);
    cudaFree(e->tray.dev_out);
  }
}

TrayPool::Lease TrayPool::pop_locked() {
  Entry* e = free_.front();
  free_.erase(free_.begin());
  high_water_ = std::max(high_water_, static_cast<int>(entries_.size() - free_.size()));
  return Lease(e);
}

TrayPool::Lease TrayPool::take() {
  std::unique_lock<std::mutex> lock(mutex_);
  home_.wait(lock, [this] { return !free_.empty(); });
  return pop_locked();
}

std::optional<TrayPool::Lease> TrayPool::take_within(std::chrono::milliseconds patience) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!home_.wait_for(lock, patience, [this] { return !free_.empty(); })) return std::nullopt;
  return pop_locked();
}

void TrayPool::put_back(Entry* e) {
  std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(e);
  home_.notify_all();
}

void CUDART_CB TrayPool::returned(void* entry) {
  Entry* e = static_cast<Entry*>(entry);
  e->pool->put_back(e);
}

const Tray& TrayPool::Lease::operator*() const { return entry_->tray; }

TrayPool::Lease::~Lease() {
  if (!entry_) return;
  if (bound_) {
    if (cudaLaunchHostFunc(stream_, &TrayPool::returned, entry_) == cudaSuccess) return;
    cudaGetLastError();
    cudaStreamSynchronize(stream_);
  }
  entry_->pool->put_back(entry_);
}

}  // namespace radar
