#pragma once

#include "weights.h"

#include <cuda_runtime.h>

#include <vector>

namespace serve {

// Execution plan of a model: its layers as one graph.
class Plan {
public:
    Plan(WeightStore& store, std::vector<int> layers);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    void compile();
    std::vector<int> infer(const std::vector<int>& request);

private:
    WeightStore& store_;
    std::vector<int> layers_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    int* act_ = nullptr;
};

}  // namespace serve
