#pragma once

#include <vector>

#include "llm/support.h"

namespace llm {

struct ModelConfig {
    int vocab = 509;
    int dim = 64;
    int layers = 3;
    int max_len = 64;
    int max_batch = 4;
};

// Row fields of the step metadata, each with room for max_batch values.
enum MetaField : int { kToken = 0, kPosition = 1, kSlot = 2, kMetaFields = 3 };

// Quantised toy transformer: embedding, attention over the cache, mixing, arg-free head.
class Model {
public:
    explicit Model(const ModelConfig& config);

    // Enqueues one decoding step for `rows` rows whose metadata lies in device memory.
    void enqueue_step(const int32_t* meta, int32_t* next_token, int rows, cudaStream_t stream);

    const ModelConfig& config() const { return config_; }
    void reset_cache();

    // Host evaluation of one whole sequence.
    std::vector<int32_t> generate_on_host(const std::vector<int32_t>& prompt, int new_tokens) const;

private:
    ModelConfig config_;
    std::vector<uint32_t> embedding_;
    std::vector<uint32_t> weights_;
    DevicePtr<uint32_t> d_embedding_;
    DevicePtr<uint32_t> d_weights_;
    DevicePtr<uint32_t> kv_;
    DevicePtr<uint32_t> hidden_;
};

}  // namespace llm
