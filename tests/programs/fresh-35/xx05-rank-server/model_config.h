// Shape of the quantised model and its host-side evaluation.
#pragma once

#include <cstdint>
#include <vector>

namespace serve {

using Activation = std::int32_t;

struct ModelConfig {
    int features = 64;
    int hidden = 96;
    int buckets = 16;
    int max_batch = 32;
    std::uint32_t seed = 2024;
};

struct Weights {
    std::vector<Activation> relevance;  // hidden x features
    std::vector<Activation> quality;    // hidden x features

    static Weights random(const ModelConfig& config) {
        Weights w;
        std::uint32_t state = config.seed;
        auto draw = [&state] {
            state = state * 1664525u + 1013904223u;
            return static_cast<Activation>((state >> 20) & 15u) - 7;
        };
        const std::size_t n = static_cast<std::size_t>(config.hidden) * config.features;
        for (std::size_t i = 0; i < n; ++i) w.relevance.push_back(draw());
        for (std::size_t i = 0; i < n; ++i) w.quality.push_back(draw());
        return w;
    }
};

// Scores of a batch of samples, evaluated on the host.
std::vector<Activation> reference_scores(const ModelConfig& config, const Weights& weights,
                                         const std::vector<Activation>& samples);

}  // namespace serve
