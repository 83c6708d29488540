#include "layers.h"

#include <utility>

namespace serve {

namespace {

constexpr int kThreads = 128;

inline int blocks_for(int items) { return (items + kThreads - 1) / kThreads; }

__device__ __host__ inline int bucket_of(Activation value, int buckets) {
    return static_cast<int>((static_cast<unsigned>(value) >> 3) % static_cast<unsigned>(buckets));
}

__global__ void dense_kernel(const Activation* input, const Activation* weights, Activation* output, int batch,
                             int features, int hidden) {
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= batch * hidden) return;
    const int sample = item / hidden;
    const int unit = item % hidden;
    Activation sum = 0;
    for (int f = 0; f < features; ++f) sum += input[sample * features + f] * weights[unit * features + f];
    output[item] = sum > 0 ? sum : 0;
}

__global__ void histogram_kernel(const Activation* input, Activation* counts, int items, int buckets) {
    const int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item < items) atomicAdd(&counts[bucket_of(input[item], buckets)], 1);
}

__global__ void score_kernel(const Activation* relevance, const Activation* quality, const Activation* counts,
                             Activation* scores, int batch, int hidden, int buckets) {
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample >= batch) return;
    Activation total = 0;
    for (int unit = 0; unit < hidden; ++unit) {
        const Activation r = relevance[sample * hidden + unit];
        const Activation q = quality[sample * hidden + unit];
        const Activation rarity = batch * hidden - counts[bucket_of(r, buckets)];
        total += ((r + 2 * q) & 1023) * (rarity & 255);
    }
    scores[sample] = total;
}

}  // namespace

DenseLayer::DenseLayer(std::string name, const ModelConfig& config, const std::vector<Activation>& weights,
                       const Tensor<Activation>& input)
    : name_(std::move(name)),
      config_(config),
      input_(input),
      weights_(weights.size()),
      output_(static_cast<std::size_t>(config.max_batch) * config.hidden) {
    weights_.assign(weights.data(), weights.size());
}

void DenseLayer::enqueue(cudaStream_t stream, int batch) {
    dense_kernel<<<blocks_for(batch * config_.hidden), kThreads, 0, stream>>>(
        input_.data(), weights_.data(), output_.data(), batch, config_.features, config_.hidden);
    SERVE_CALL(cudaGetLastError());
}

HistogramLayer::HistogramLayer(const ModelConfig& config, const Tensor<Activation>& input)
    : config_(config), input_(input), counts_(config.buckets) {}

void HistogramLayer::enqueue(cudaStream_t stream, int batch) {
    const int items = batch * config_.hidden;
    counts_.fill_zero(stream);
    histogram_kernel<<<blocks_for(items), kThreads, 0, stream>>>(input_.data(), counts_.data(), items,
                                                                 config_.buckets);
    SERVE_CALL(cudaGetLastError());
}

ScoreLayer::ScoreLayer(const ModelConfig& config, const Tensor<Activation>& relevance,
                       const Tensor<Activation>& quality, const Tensor<Activation>& counts)
    : config_(config),
      relevance_(relevance),
      quality_(quality),
      counts_(counts),
      scores_(config.max_batch) {}

void ScoreLayer::enqueue(cudaStream_t stream, int batch) {
    score_kernel<<<blocks_for(batch), kThreads, 0, stream>>>(relevance_.data(), quality_.data(), counts_.data(),
                                                             scores_.data(), batch, config_.hidden, config_.buckets);
    SERVE_CALL(cudaGetLastError());
}

std::vector<Activation> reference_scores(const ModelConfig& config, const Weights& weights,
                                         const std::vector<Activation>& samples) {
    const int batch = static_cast<int>(samples.size()) / config.features;
    auto dense = [&](const std::vector<Activation>& w) {
        std::vector<Activation> out(static_cast<std::size_t>(batch) * config.hidden);
        for (int s = 0; s < batch; ++s) {
            for (int u = 0; u < config.hidden; ++u) {
                Activation sum = 0;
                for (int f = 0; f < config.features; ++f) {
                    sum += samples[s * config.features + f] * w[u * config.features + f];
                }
                out[s * config.hidden + u] = sum > 0 ? sum : 0;
            }
        }
        return out;
    };
    const auto relevance = dense(weights.relevance);
    const auto quality = dense(weights.quality);
    std::vector<Activation> counts(config.buckets, 0);
    for (Activation r : relevance) ++counts[bucket_of(r, config.buckets)];

    std::vector<Activation> scores(batch, 0);
    for (int s = 0; s < batch; ++s) {
        for (int u = 0; u < config.hidden; ++u) {
            const Activation r = relevance[s * config.hidden + u];
            const Activation q = quality[s * config.hidden + u];
            const Activation rarity = batch * config.hidden - counts[bucket_of(r, config.buckets)];
            scores[s] += ((r + 2 * q) & 1023) * (rarity & 255);
        }
    }
    return scores;
}

}  // namespace serve
