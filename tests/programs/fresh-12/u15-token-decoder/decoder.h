#pragma once
#include <cstdint>
#include "runtime.h"

namespace lm {

constexpr int kWidth = 4096;

struct StepShape {
    int batch;
    std::uint32_t salt;
};

__host__ __device__ inline std::uint32_t attention(std::uint32_t h, std::uint32_t token)
{ return h * 1664525u + token; }
__host__ __device__ inline std::uint32_t gating(std::uint32_t h, std::uint32_t salt)
{ return (h >> 3) ^ salt; }

// Greedy decoder whose token step is recorded once for each batch size.
class Decoder {
public:
    explicit Decoder(int maxBatch);
    Decoder(const Decoder&) = delete;
    ~Decoder();

    void warmUp(int batch);
    void record(int batch);
    void decode(int tokens);
    std::vector<std::uint32_t> project(const std::vector<DeviceArray<std::uint32_t>>& shards);

private:
    void reset();
    void enqueueStep(StepShape shape);

    int maxBatch_;
    int batch_ = 0;
    cudaStream_t main_ = nullptr, gate_ = nullptr;
    cudaEvent_t fork_ = nullptr, join_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    DeviceArray<std::uint32_t> hidden_, token_;
    Arena arena_;
};

}  // namespace lm
