#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "support.h"
#include "weights.h"

namespace serve {

constexpr int kMaxBatch = 8;

__host__ __device__ inline int embed(int token, int i) { return (token * 131 + i * 17) % 8191; }
__host__ __device__ inline int neuron(int x, int w, int layer) {
    return static_cast<int>((static_cast<unsigned>(x) * static_cast<unsigned>(w) + static_cast<unsigned>(layer) * 97u + 1u) % 8191u);
}

// A recorded forward pass for one batch size, with its own input and output.
class Program {
public:
    Program(int batch, const WeightStore& weights);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    int batch() const { return batch_; }
    std::vector<unsigned long long> infer(const std::vector<int>& tokens);
    size_t chunks() const { return workspace_.chunks(); }

private:
    void forward(const WeightStore& weights);

    int batch_;
    Stream stream_;
    Workspace workspace_{96 * 1024};
    int* tokens_ = nullptr;                 // page-locked
    unsigned long long* logits_ = nullptr;  // page-locked
    int* device_tokens_ = nullptr;
    unsigned long long* device_logits_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

void start_engine();

}  // namespace serve
