#include "llm/model.h"

namespace llm {
namespace {

struct RowInfo {
    int token;
    int position;
    int slot;
    bool live;
};

__device__ RowInfo row_info(const int32_t* meta, int row, const ModelConfig& c) {
    RowInfo r;
    r.token = static_cast<int>(static_cast<uint32_t>(meta[kToken * c.max_batch + row]) % c.vocab);
    r.position = meta[kPosition * c.max_batch + row];
    r.slot = meta[kSlot * c.max_batch + row];
    r.live = r.position >= 0 && r.position < c.max_len && r.slot >= 0 && r.slot < c.max_batch;
    return r;
}

__host__ __device__ inline uint32_t mix(uint32_t x) {
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    return x;
}

__global__ void embed_kernel(const int32_t* meta, const uint32_t* embedding, uint32_t* hidden, ModelConfig c) {
    const int row = blockIdx.x;
    const RowInfo r = row_info(meta, row, c);
    if (!r.live) return;
    const int d = threadIdx.x;
    hidden[row * c.dim + d] = embedding[r.token * c.dim + d] + 7u * r.position;
}

__global__ void layer_kernel(const int32_t* meta, const uint32_t* w, uint32_t* kv, uint32_t* hidden, ModelConfig c) {
    const int row = blockIdx.x;
    const RowInfo r = row_info(meta, row, c);
    if (!r.live) return;
    const int d = threadIdx.x;
    uint32_t* cache = kv + static_cast<size_t>(r.slot) * c.max_len * c.dim;
    const uint32_t x = hidden[row * c.dim + d];
    cache[r.position * c.dim + d] = x * (w[d] | 1u);
    uint32_t acc = 0;
    for (int p = 0; p <= r.position; ++p) acc += cache[p * c.dim + d] * static_cast<uint32_t>(p + 1);
    hidden[row * c.dim + d] = mix(x + acc) + w[d];
}

__global__ void head_kernel(const int32_t* meta, const uint32_t* hidden, int32_t* next, ModelConfig c) {
    const int row = blockIdx.x;
    const RowInfo r = row_info(meta, row, c);
    if (!r.live) return;
    __shared__ uint32_t sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, hidden[row * c.dim + threadIdx.x] * (2u * threadIdx.x + 1u));
    __syncthreads();
    if (threadIdx.x == 0) next[row] = static_cast<int32_t>(sum % static_cast<uint32_t>(c.vocab));
}

void fill(std::vector<uint32_t>& v, uint32_t seed) {
    for (auto& x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = mix(seed);
    }
}

}  // namespace

Model::Model(const ModelConfig& config)
    : config_(config),
      embedding_(static_cast<std::size_t>(config.vocab) * config.dim),
      weights_(static_cast<std::size_t>(config.layers) * config.dim) {
    fill(embedding_, 17u);
    fill(weights_, 99u);
    d_embedding_ = device_array<uint32_t>(embedding_.size());
    d_weights_ = device_array<uint32_t>(weights_.size());
    kv_ = device_array<uint32_t>(static_cast<std::size_t>(config.layers) * config.max_batch * config.max_len * config.dim);
    hidden_ = device_array<uint32_t>(static_cast<std::size_t>(config.max_batch) * config.dim);
    check(cudaMemcpy(d_embedding_.get(), embedding_.data(), embedding_.size() * sizeof(uint32_t), cudaMemcpyHostToDevice));
    check(cudaMemcpy(d_weights_.get(), weights_.data(), weights_.size() * sizeof(uint32_t), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
}

void Model::reset_cache() {
    const std::size_t n = static_cast<std::size_t>(config_.layers) * config_.max_batch * config_.max_len * config_.dim;
    check(cudaMemset(kv_.get(), 0, n * sizeof(uint32_t)));
    check(cudaDeviceSynchronize());
}

void Model::enqueue_step(const int32_t* meta, int32_t* next_token, int rows, cudaStream_t stream) {
    const std::size_t cache_stride = static_cast<std::size_t>(config_.max_batch) * config_.max_len * config_.dim;
    embed_kernel<<<rows, config_.dim, 0, stream>>>(meta, d_embedding_.get(), hidden_.get(), config_);
    check(cudaGetLastError());
    for (int l = 0; l < config_.layers; ++l) {
        layer_kernel<<<rows, config_.dim, 0, stream>>>(meta, d_weights_.get() + l * config_.dim,
                                                      kv_.get() + l * cache_stride, hidden_.get(), config_);
        check(cudaGetLastError());
    }
    head_kernel<<<rows, config_.dim, 0, stream>>>(meta, hidden_.get(), next_token, config_);
    check(cudaGetLastError());
}

std::vector<int32_t> Model::generate_on_host(const std::vector<int32_t>& prompt, int new_tokens) const {
    const int dim = config_.dim;
    std::vector<uint32_t> kv(static_cast<std::size_t>(config_.layers) * config_.max_len * dim);
    std::vector<uint32_t> x(dim);
    std::vector<int32_t> made;
    int32_t token = prompt[0];
    for (int pos = 0; static_cast<int>(made.size()) < new_tokens; ++pos) {
        for (int d = 0; d < dim; ++d) x[d] = embedding_[token * dim + d] + 7u * pos;
        for (int l = 0; l < config_.layers; ++l) {
            uint32_t* cache = kv.data() + static_cast<std::size_t>(l) * config_.max_len * dim;
            for (int d = 0; d < dim; ++d) {
                const uint32_t w = weights_[l * dim + d];
                cache[pos * dim + d] = x[d] * (w | 1u);
                uint32_t acc = 0;
                for (int p = 0; p <= pos; ++p) acc += cache[p * dim + d] * static_cast<uint32_t>(p + 1);
                x[d] = mix(x[d] + acc) + w;
            }
        }
        uint32_t sum = 0;
        for (int d = 0; d < dim; ++d) sum += x[d] * (2u * d + 1u);
        const int32_t next = static_cast<int32_t>(sum % static_cast<uint32_t>(config_.vocab));
        if (pos + 1 < static_cast<int>(prompt.size())) {
            token = prompt[pos + 1];
        } else {
            made.push_back(next);
            token = next;
        }
    }
    return made;
}

}  // namespace llm
