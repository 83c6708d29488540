#include "hearth.h"

namespace hearth {

namespace {

__global__ void resolve_kernel(const int* keys, int count, DeviceCache cache, MissBox* box, unsigned ticket) {
    __shared__ int missing;
    if (threadIdx.x == 0) missing = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (atomicCAS(&cache.slot_of_key[keys[i]], -1, -2) == -1) box->keys[atomicAdd(&missing, 1)] = keys[i];
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0 && missing > 0) {
        volatile MissBox* shared = box;
        shared->count = missing;
        __threadfence_system();
        shared->posted = ticket;
        while (shared->served != ticket) __nanosleep(500);
        __threadfence_system();
    }
}

__global__ void gather_kernel(const int* keys, int count, DeviceCache cache, float* out) {
    for (int i = blockIdx.x; i < count; i += gridDim.x) {
        const int slot = cache.slot_of_key[keys[i]];
        for (int d = threadIdx.x; d < cache.dim; d += blockDim.x)
            out[size_t(i) * cache.dim + d] = slot >= 0 ? cache.rows[size_t(slot) * cache.dim + d] : 0.0f;
    }
}

__global__ void scatter_kernel(const float* rows, const Assignment* where, int count, DeviceCache cache) {
    for (int i = blockIdx.x; i < count; i += gridDim.x) {
        const Assignment a = where[i];
        for (int d = threadIdx.x; d < cache.dim; d += blockDim.x)
            cache.rows[size_t(a.slot) * cache.dim + d] = rows[size_t(i) * cache.dim + d];
        if (threadIdx.x == 0) cache.slot_of_key[a.key] = a.slot;
    }
}

int grid_for(int count) { return count < 1 ? 1 : count > 64 ? 64 : count; }

}  // namespace

void launch_resolve(const int* keys, int count, DeviceCache cache, MissBox* box, unsigned ticket,
                    cudaStream_t stream) {
    resolve_kernel<<<1, 256, 0, stream>>>(keys, count, cache, box, ticket);
    must(cudaGetLastError());
}

void launch_gather(const int* keys, int count, DeviceCache cache, float* out, cudaStream_t stream) {
    gather_kernel<<<grid_for(count), 64, 0, stream>>>(keys, count, cache, out);
    must(cudaGetLastError());
}

void launch_scatter(const float* rows, const Assignment* where, int count, DeviceCache cache, cudaStream_t stream) {
    scatter_kernel<<<grid_for(count), 64, 0, stream>>>(rows, where, count, cache);
    must(cudaGetLastError());
}

EmbeddingCache::EmbeddingCache(const CacheConfig& config, const HostTable& table) : config_(config) {
    cache_.dim = config.dim;
    must(cudaMalloc(&cache_.rows, sizeof(float) * config.capacity * config.dim));
    must(cudaMalloc(&cache_.slot_of_key, sizeof(int) * config.vocabulary));
    must(cudaMemset(cache_.slot_of_key, 0xff, sizeof(int) * config.vocabulary));
    must(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(MissBox) + sizeof(int) * config.max_lookup,
                       cudaHostAllocMapped));
    box_->posted = box_->served = 0;
    must(cudaHostGetDevicePointer(reinterpret_cast<void**>(&box_on_device_), box_, 0));
    must(cudaEventCreateWithFlags(&last_, cudaEventDisableTiming));
    launch_resolve(nullptr, 0, cache_, box_on_device_, 0, nullptr);
    launch_gather(nullptr, 0, cache_, nullptr, nullptr);
    must(cudaDeviceSynchronize());
    service_ = std::make_unique<FetchService>(config, table, cache_, box_);
}

EmbeddingCache::~EmbeddingCache() {
    cudaEventSynchronize(last_);
    service_.reset();
    cudaEventDestroy(last_);
    cudaFree(cache_.slot_of_key);
    cudaFree(cache_.rows);
    cudaFreeHost(box_);
}

void EmbeddingCache::lookup(const int* keys, int count, float* out, cudaStream_t stream) {
    if (count > config_.max_lookup) throw std::invalid_argument("hearth: too many keys");
    std::lock_guard<std::mutex> lock(mutex_);
    must(cudaStreamWaitEvent(stream, last_, 0));
    launch_resolve(keys, count, cache_, box_on_device_, ++tickets_, stream);
    launch_gather(keys, count, cache_, out, stream);
    must(cudaEventRecord(last_, stream));
}

}  // namespace hearth
