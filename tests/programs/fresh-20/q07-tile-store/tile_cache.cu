#include "tile_cache.h"

namespace tilestore {

struct tile_cache::slot {
  explicit slot(std::size_t n) : elements(n) {
    TS_CHECK(cudaMalloc(reinterpret_cast<void**>(&device), n * sizeof(float)));
    TS_CHECK(cudaMallocHost(reinterpret_cast<void**>(&staging), n * sizeof(float)));
    TS_CHECK(cudaEventCreateWithFlags(&last_use, cudaEventDisableTiming));
  }
  ~slot() {
    cudaEventDestroy(last_use);
    cudaFreeHost(staging);
    cudaFree(device);
  }

  std::size_t elements;
  float* device = nullptr;
  float* staging = nullptr;
  cudaEvent_t last_use = nullptr;
  tile_id id = 0;
  bool filled = false;
  int leases = 0;
};

struct tile_cache::ticket {
  tile_cache* cache;
};

const float* tile_cache::lease::data() const noexcept { return slot_->device; }
std::size_t tile_cache::lease::size() const noexcept { return slot_->elements; }

tile_cache::tile_cache(tile_source& source, std::size_t capacity, cudaStream_t stream)
    : source_(source), stream_(stream) {
  slots_.reserve(capacity);
  for (std::size_t i = 0; i < capacity; ++i) {
    slots_.push_back(std::make_unique<slot>(source.tile_elements()));
    order_.push_back(slots_.back().get());
  }
}

tile_cache::~tile_cache() { cudaStreamSynchronize(stream_); }

tile_cache::slot& tile_cache::claim(std::unique_lock<std::mutex>& lock) {
  for (auto it = order_.begin(); it != order_.end(); ++it) {
    slot* s = *it;
    if (s->leases > 0) continue;
    s->leases = 1;
    order_.splice(order_.end(), order_, it);
    if (s->filled) {
      resident_.erase(s->id);
      s->filled = false;
      ++stats_.evictions;
      lock.unlock();
      TS_CHECK(cudaEventSynchronize(s->last_use));
      lock.lock();
    }
    return *s;
  }
  throw std::runtime_error("tile_cache: every tile is leased");
}

tile_cache::lease tile_cache::acquire(tile_id id) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (auto hit = resident_.find(id); hit != resident_.end()) {
    slot* s = hit->second;
    ++s->leases;
    ++stats_.hits;
    order_.remove(s);
    order_.push_back(s);
    return lease(this, s);
  }
  ++stats_.misses;
  slot& s = claim(lock);
  s.id = id;
  s.filled = true;
  resident_.emplace(id, &s);
  lock.unlock();

  source_.decode(id, {s.staging, s.elements});
  TS_CHECK(cudaMemcpyAsync(s.device, s.staging, s.elements * sizeof(float), cudaMemcpyHostToDevice, stream_));
  return lease(this, &s);
}

void CUDART_CB tile_cache::retire(void* arg) {
  std::unique_ptr<ticket> t(static_cast<ticket*>(arg));
  std::lock_guard<std::mutex> guard(t->cache->mutex_);
  ++t->cache->stats_.retired;
  --t->cache->stats_.in_use;
}

void tile_cache::release(slot& s) noexcept {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    ++stats_.in_use;
  }
  cudaLaunchHostFunc(stream_, &tile_cache::retire, new ticket{this});
  cudaEventRecord(s.last_use, stream_);
  std::lock_guard<std::mutex> guard(mutex_);
  --s.leases;
}

cache_stats tile_cache::stats() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return stats_;
}

}  // namespace tilestore
