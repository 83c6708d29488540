#include "shard.h"

namespace recsys {

namespace {

__device__ unsigned long long wallNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void scoreItems(const float* embeddings, float* scores, int items,
                           unsigned long long ns) {
    unsigned long long end = wallNs() + ns;
    while (wallNs() < end) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < items; i += gridDim.x * blockDim.x) {
        scores[i] = embeddings[i] * 2.0f + 1.0f;
    }
}

}  // namespace

Shard::Shard(int index, const RankerConfig& config) : index_(index), config_(config) {
    GPU_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (Table& table : tables_) {
        table.host = pinnedFloats(config_.items);
        table.device = deviceFloats(config_.items);
        GPU_OK(cudaEventCreateWithFlags(&table.consumed, cudaEventDisableTiming));
    }
    scores_ = deviceFloats(static_cast<std::size_t>(config_.items) * config_.requestsPerShard);
    scoreItems<<<1, 32, 0, stream_>>>(tables_[0].device.get(), scores_.get(), 0, 0);
    GPU_OK(cudaGetLastError());
    refresh(tables_[0], requestId(0));
    GPU_OK(cudaStreamSynchronize(stream_));
}

Shard::~Shard() {
    cudaStreamSynchronize(stream_);
    for (Table& table : tables_) cudaEventDestroy(table.consumed);
    cudaStreamDestroy(stream_);
}

void Shard::refresh(Table& table, int request) {
    GPU_OK(cudaEventSynchronize(table.consumed));
    for (int i = 0; i < config_.items; ++i) table.host.get()[i] = embeddingValue(request, i);
    GPU_OK(cudaMemcpy(table.device.get(), table.host.get(), config_.items * sizeof(float),
                      cudaMemcpyHostToDevice));
}

void Shard::serve(int requests) {
    for (int k = 0; k < requests; ++k) {
        Table& table = tables_[k % tables_.size()];
        refresh(table, requestId(k));
        float* out = scores_.get() + static_cast<std::size_t>(k) * config_.items;
        scoreItems<<<8, 128, 0, stream_>>>(table.device.get(), out, config_.items,
                                           config_.scoreNs);
        GPU_OK(cudaGetLastError());
        GPU_OK(cudaEventRecord(table.consumed, stream_));
    }
    GPU_OK(cudaStreamSynchronize(stream_));
}

std::vector<float> Shard::scores() const {
    std::vector<float> host(static_cast<std::size_t>(config_.items) * config_.requestsPerShard);
    GPU_OK(cudaMemcpy(host.data(), scores_.get(), host.size() * sizeof(float),
                      cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace recsys
