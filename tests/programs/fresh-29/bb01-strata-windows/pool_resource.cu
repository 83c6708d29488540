#include "pool_resource.h"

namespace strata {

namespace {
memory_resource* g_current = nullptr;
}

memory_resource* current_resource() noexcept { return g_current; }
void set_current_resource(memory_resource* mr) noexcept { g_current = mr; }

pool_resource::pool_resource(std::size_t slab_bytes) : capacity_(slab_bytes) {
  check(cudaMalloc(reinterpret_cast<void**>(&slab_), slab_bytes));
}

pool_resource::~pool_resource() {
  cudaFree(slab_);
  for (auto& kv : lanes_) cudaEventDestroy(kv.second.last_free);
}

std::size_t pool_resource::bucket(std::size_t bytes) noexcept {
  std::size_t b = 256;
  while (b < bytes) b <<= 1;
  return b;
}

pool_resource::lane& pool_resource::lane_of(cudaStream_t s) {
  auto it = lanes_.find(s);
  if (it == lanes_.end()) {
    it = lanes_.emplace(s, lane{}).first;
    check(cudaEventCreateWithFlags(&it->second.last_free, cudaEventDisableTiming));
  }
  return it->second;
}

void* pool_resource::take(lane& l, std::size_t bytes) {
  auto it = l.blocks.find(bytes);
  if (it == l.blocks.end()) return nullptr;
  void* p = it->second;
  l.blocks.erase(it);
  return p;
}

void* pool_resource::do_allocate(std::size_t bytes, cudaStream_t s) {
  const std::size_t want = bucket(bytes);
  std::lock_guard<std::mutex> guard(mu_);
  if (void* p = take(lane_of(s), want)) return p;
  if (offset_ + want <= capacity_) {
    void* p = slab_ + offset_;
    offset_ += want;
    return p;
  }
  for (auto& kv : lanes_) {
    if (kv.first == s) continue;
    if (void* p = take(kv.second, want)) {
      check(cudaStreamWaitEvent(s, kv.second.last_free, 0));
      return p;
    }
  }
  throw cuda_error(cudaErrorMemoryAllocation);
}

void pool_resource::do_deallocate(void* p, std::size_t bytes, cudaStream_t s) noexcept {
  std::lock_guard<std::mutex> guard(mu_);
  lane& l = lane_of(s);
  cudaEventRecord(l.last_free, s);
  l.blocks.emplace(bucket(bytes), p);
}

}  // namespace strata
