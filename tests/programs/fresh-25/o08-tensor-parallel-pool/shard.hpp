#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

namespace tp {

struct Config {
    int hidden = 256;
    int layers = 5;
    int shards = 4;
    unsigned gemv_ms = 12;   // cost of the sharded matrix product of one layer
};

[[noreturn]] void fail(cudaError_t rc);
inline void ok(cudaError_t rc) {
    if (rc != cudaSuccess) fail(rc);
}

// Column-parallel slice of each layer's weight matrix, int8, with its own stream.
class Shard {
public:
    Shard(const Config& cfg, int index, const std::vector<std::int8_t>& weights);
    ~Shard();
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    // Partial product of `layer` for `activations`, into `partial` (hidden ints).
    void forward(int layer, const std::int32_t* activations, std::int32_t* partial,
                 cudaEvent_t input_ready);
    cudaEvent_t done() const { return done_; }

private:
    const Config& cfg_;
    int first_, count_;
    std::int8_t* weights_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t done_ = nullptr;
};

// Sums the partial products and requantises them to the range of the next layer.
void all_reduce(std::int32_t* activations, const std::int32_t* partials, int hidden, int shards,
                cudaStream_t stream);

inline std::int32_t requantise(std::int32_t v) { return ((v % 127) + 127) % 127 - 63; }

}  // namespace tp
