#pragma once
#include <map>
#include <vector>

#include "model.cuh"

namespace rank {

struct ServeConfig {
    int workers = 2;
    int typicalBatch = 4;
    int maxBatch = 8;
};

// One stream, one allocator and one graph per batch bucket; graphs are built when a bucket is first asked for.
class Executor {
public:
    Executor(const Model& model, const ServeConfig& cfg);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    std::vector<float> infer(const std::vector<float>& rows, int batch);

private:
    void prepare();
    cudaGraphExec_t plan(int bucket);

    const Model& model_;
    const ServeConfig cfg_;
    CachingAllocator alloc_;
    cudaStream_t stream_ = nullptr;
    float *hostIn_ = nullptr, *hostOut_ = nullptr, *input_ = nullptr;
    std::map<int, cudaGraphExec_t> plans_;
};

}  // namespace rank
