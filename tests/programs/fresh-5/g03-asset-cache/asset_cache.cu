#include "asset_cache.h"

namespace assets {

namespace {

void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Expands a procedural texture; the inner refinement takes `ms` milliseconds.
__global__ void expand(float* out, std::size_t n, int seed, unsigned ms) {
    const unsigned long long end = now_ns() + 1000000ull * ms;
    while (now_ns() < end) __nanosleep(1000);
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = float((i * 7 + seed) % 251);
}

}  // namespace

AssetCache::AssetCache(CacheConfig cfg) : cfg_(cfg), lanes_(cfg.lanes) {
    for (auto& s : lanes_) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

AssetCache::~AssetCache() {
    for (auto& s : lanes_) {
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }
    for (auto& e : entries_) cudaFree(e.second->texels);
}

void AssetCache::prefetch(int id) {
    Entry* entry = nullptr;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        auto& slot = entries_[id];
        if (slot) return;
        slot = std::make_unique<Entry>();
        slot->owner = this;
        slot->id = id;
        entry = slot.get();
    }
    check(cudaMalloc(reinterpret_cast<void**>(&entry->texels), cfg_.texels * sizeof(float)));
    cudaStream_t lane = lanes_[next_lane_++ % lanes_.size()];
    expand<<<16, 128, 0, lane>>>(entry->texels, cfg_.texels, id, cfg_.decode_ms);
    check(cudaGetLastError());
    check(cudaLaunchHostFunc(lane, &AssetCache::on_expanded, entry));
}

void CUDART_CB AssetCache::on_expanded(void* user) {
    auto* entry = static_cast<Entry*>(user);
    std::lock_guard<std::mutex> lock(entry->owner->mutex_);
    entry->ready = true;
    ++entry->owner->newly_ready_;
}

int AssetCache::drain() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto& lane : lanes_) check(cudaStreamSynchronize(lane));
    const int n = newly_ready_;
    newly_ready_ = 0;
    return n;
}

bool AssetCache::resident(int id) const {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = entries_.find(id);
    return it != entries_.end() && it->second->ready;
}

std::vector<float> AssetCache::read(int id) {
    const float* src = nullptr;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        src = entries_.at(id)->texels;
    }
    std::vector<float> host(cfg_.texels);
    check(cudaMemcpy(host.data(), src, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace assets
